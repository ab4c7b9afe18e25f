package gilmok.lab.data;

/** Where a set comes from. */
sealed interface SetOrigin {
  /** The folder below what was brought, in which the set's files are. */
  String folder();

  /** The origin as a reader would look for it. */
  String told();

  /**
   * The sources of a Python package, which pip takes from the registry that it is set up for.
   *
   * @param sha256 of the archive; pip refuses another
   */
  record PythonSources(String name, String version, String sha256, String folder)
      implements SetOrigin {
    @Override
    public String told() {
      return "the sources of the Python package " + name + " " + version + ", by pip";
    }
  }

  /**
   * A public repository, of which git takes one commit.
   *
   * @param commit all 40 digits: git refuses files that are not those of the commit
   */
  record GitCommit(String url, String commit, String folder) implements SetOrigin {
    @Override
    public String told() {
      return url + " at " + commit.substring(0, 12) + ", by git";
    }
  }
}
