"""OR-Tools' routing solver on the cases of `lab plan --write`: one vehicle, pickups and deliveries.

Reads NDJSON, prints `name cost` for each line, for `lab plan --beside`.
"""
import argparse
import json

from ortools.constraint_solver import pywrapcp, routing_enums_pb2


def solve(edges, seconds):
    # Node 0 is the start, 1 the end, then each order's pickup and drop-off.
    manager = pywrapcp.RoutingIndexManager(len(edges), 1, [0], [1])
    routing = pywrapcp.RoutingModel(manager)
    transit = routing.RegisterTransitMatrix(edges)
    routing.SetArcCostEvaluatorOfAllVehicles(transit)
    routing.AddConstantDimension(1, len(edges) + 1, True, "place")
    place = routing.GetDimensionOrDie("place")
    for node in range(2, len(edges), 2):
        pickup = manager.NodeToIndex(node)
        dropoff = manager.NodeToIndex(node + 1)
        routing.AddPickupAndDelivery(pickup, dropoff)
        routing.solver().Add(routing.VehicleVar(pickup) == routing.VehicleVar(dropoff))
        routing.solver().Add(place.CumulVar(pickup) <= place.CumulVar(dropoff))
    search = pywrapcp.DefaultRoutingSearchParameters()
    search.first_solution_strategy = (
        routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    )
    search.local_search_metaheuristic = (
        routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    )
    search.time_limit.FromMilliseconds(int(seconds * 1000))
    solution = routing.SolveWithParameters(search)
    return solution.ObjectiveValue() if solution else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    with open(arguments.file) as lines:
        for line in lines:
            case = json.loads(line)
            cost = solve(case["edges"], arguments.seconds)
            print(case["name"], cost, flush=True)


if __name__ == "__main__":
    main()
