// Everything the page says, in English and Korean, and which of the two it speaks.

import { memory } from "./dom.js";

const WORDS = {
  title: ["Gilmok · map", "길목 · 지도"],
  skip: ["Skip to search", "검색으로 건너뛰기"],
  map: ["Map of all riders", "라이더 지도"],
  searchHint: ["Find a rider", "라이더 찾기"],
  suggestions: ["Riders found", "찾은 라이더"],
  noneFound: ["No rider with this id", "이 ID의 라이더가 없습니다"],
  fleet: ["The fleet", "전체 현황"],
  tools: ["Map tools", "지도 도구"],
  moving: ["moving", "이동 중"],
  standing: ["standing", "정지"],
  quiet: ["quiet", "수신 없음"],
  movingLong: ["Moving", "이동 중"],
  standingLong: ["Standing", "정지"],
  quietLong: ["Quiet for over a minute", "1분 넘게 수신 없음"],
  hideState: ["Show or hide: {state}", "표시 또는 숨기기: {state}"],
  zoomIn: ["Zoom in", "확대"],
  zoomOut: ["Zoom out", "축소"],
  fit: ["Show everyone", "모두 보기"],
  drawBox: ["Search in a box", "사각형으로 검색"],
  drawCircle: ["Search in a circle", "원으로 검색"],
  phones: ["Phones", "휴대폰"],
  ops: ["What the server does", "서버 상태"],
  theme: ["Light or dark", "밝게 또는 어둡게"],
  language: ["한국어로 보기", "View in English"],
  languageName: ["한", "EN"],
  leave: ["Sign out", "로그아웃"],
  close: ["Close", "닫기"],
  rider: ["The chosen rider", "선택한 라이더"],
  results: ["Riders in the area", "영역 안의 라이더"],

  connecting: ["Connecting…", "연결 중…"],
  live: ["Live", "실시간"],
  lost: ["Connection lost for {time}", "{time} 동안 연결 끊김"],
  lostText: ["Trying to reach the server again. What you see is {time} old.", "서버에 다시 연결하고 있습니다. 화면은 {time} 전의 모습입니다."],
  rate: ["{count}/s", "{count}/초"],
  rateHint: ["Positions received each second", "초당 받은 위치 수"],
  skewBehind: ["This computer's clock is {time} behind the server's. Ages are shown by the server's clock.", "이 컴퓨터의 시계가 서버보다 {time} 늦습니다. 경과 시간은 서버 시계로 표시합니다."],
  skewAhead: ["This computer's clock is {time} ahead of the server's. Ages are shown by the server's clock.", "이 컴퓨터의 시계가 서버보다 {time} 빠릅니다. 경과 시간은 서버 시계로 표시합니다."],
  liveOff: ["This server does not show live positions (its part “live” is off).", "이 서버는 실시간 위치를 제공하지 않습니다 (live 기능이 꺼져 있음)."],
  tooMany: ["More than {count} riders: not all are shown.", "라이더가 {count}명을 넘어 일부만 표시합니다."],
  noTiles: ["The map's background cannot be reached; a grid is shown in its place.", "배경 지도에 연결할 수 없어 격자를 표시합니다."],
  noWebgl: ["This browser cannot draw the map (WebGL 2 is off).", "이 브라우저에서는 지도를 그릴 수 없습니다 (WebGL 2 꺼짐)."],
  busy: ["The server is busy ({status}). Trying again.", "서버가 혼잡합니다 ({status}). 다시 시도하는 중입니다."],

  emptyTitle: ["No riders yet", "아직 라이더가 없습니다"],
  emptyText: ["The map is connected and waits for the first position.", "지도가 연결되었고 첫 위치를 기다리고 있습니다."],
  emptyDemo: ["Try it with a simulated fleet", "가상 라이더로 시험하기"],
  emptyPhones: ["Connect a phone", "휴대폰 연결하기"],

  keyTitle: ["Open the map", "지도 열기"],
  keyText: ["Paste a key that may read. It is asked for once; this browser then keeps a session, not the key. The server's first key is in data/admin.key; the demo prints its key in its terminal.", "읽기 권한이 있는 키를 붙여 넣어 주세요. 한 번만 묻고, 브라우저에는 키 대신 세션만 남습니다. 서버의 첫 키는 data/admin.key에 있고, 데모의 키는 데모를 실행한 터미널에 나옵니다."],
  keyAgain: ["The session has ended: its time is over, or the key was revoked. Paste a key that may read.", "세션이 끝났습니다 (만료되었거나 키가 폐기됨). 읽기 권한이 있는 키를 붙여 넣어 주세요."],
  keyBound: ["That key is of a shop or an agency, which does not see riders. Paste one that may read, of the fleet or of a rider.", "가게나 대행사의 키로는 라이더를 볼 수 없습니다. 전체용이나 라이더용 읽기 권한 키를 붙여 넣어 주세요."],
  keyLabel: ["Key", "키"],
  keyOpen: ["Open", "열기"],
  login: ["Sign in with your account", "계정으로 로그인"],
  keyEmpty: ["Paste a key first.", "먼저 키를 붙여 넣어 주세요."],
  keyWrong: ["This key is not valid here. Check that all of it was copied.", "유효하지 않은 키입니다. 전체가 복사되었는지 확인해 주세요."],
  keyExpired: ["This key has expired.", "만료된 키입니다."],
  keyScope: ["This key may not read. It needs the scope “read”.", "읽기 권한(read)이 없는 키입니다."],
  keyUnreached: ["The server cannot be reached. Try again.", "서버에 연결할 수 없습니다. 다시 시도해 주세요."],
  keyOther: ["The server answered {status}. Try again.", "서버 응답: {status}. 다시 시도해 주세요."],

  speed: ["Speed", "속도"],
  age: ["Last seen", "마지막 수신"],
  battery: ["Battery", "배터리"],
  ago: ["{time} ago", "{time} 전"],
  agoUnit: ["ago", "전"],
  aheadUnit: ["ahead", "빠름"],
  ahead: ["{time} ahead of the server", "서버보다 {time} 빠름"],
  unknown: ["–", "–"],
  heading: ["Heading", "방향"],
  accuracy: ["Accuracy", "정확도"],
  altitude: ["Altitude", "고도"],
  provider: ["Source", "측위 방식"],
  place: ["Place", "좌표"],
  delivery: ["Delivery", "배달"],
  follow: ["Follow", "따라가기"],
  copyId: ["Copy id", "ID 복사"],
  copied: ["Copied", "복사됨"],
  device: ["Phone", "휴대폰"],
  other: ["Other", "기타"],
  power: ["Power", "전원"],
  power_unplugged: ["on battery", "배터리 사용"],
  power_charging: ["charging", "충전 중"],
  power_full: ["full", "충전 완료"],
  network: ["Network", "통신"],
  network_wifi: ["Wi-Fi", "와이파이"],
  network_mobile: ["mobile", "모바일"],
  network_offline: ["offline", "오프라인"],
  motion: ["Motion", "움직임"],
  motion_stationary: ["at rest", "정지"],
  motion_walking: ["walking", "걷기"],
  motion_running: ["running", "달리기"],
  motion_cycling: ["cycling", "자전거"],
  motion_driving: ["driving", "차량 이동"],
  trigger: ["Sent because", "보낸 이유"],
  trigger_timer: ["it was time", "정해진 주기"],
  trigger_manual: ["somebody tapped", "직접 보냄"],
  trigger_asked: ["it was asked", "위치 요청"],
  trigger_region: ["of a region", "지정 구역"],
  vehicle: ["Vehicle", "이동 수단"],
  vehicle_motorbike: ["motorbike", "오토바이"],
  vehicle_bicycle: ["bicycle", "자전거"],
  vehicle_foot: ["on foot", "도보"],
  vehicle_car: ["car", "자동차"],
  speedChart: ["Speed since this page was opened", "이 화면을 연 뒤의 속도"],

  boxTitle: ["In the box", "사각형 안"],
  circleTitle: ["In the circle", "원 안"],
  drawABox: ["Drag a box on the map.", "드래그해서 사각형을 그려 주세요."],
  drawACircle: ["Drag a circle on the map, from its middle.", "중심에서 바깥으로 드래그해서 원을 그려 주세요."],
  useView: ["Search what is on screen", "현재 화면에서 검색"],
  foundCount: ["{count} riders, nearest to the middle first", "{count}명, 중심에서 가까운 순"],
  foundOne: ["1 rider", "1명"],
  foundMany: ["{count} riders; the nearest {shown} are listed", "{count}명 중 가까운 {shown}명"],
  foundNone: ["Nobody is here.", "아무도 없습니다."],
  radius: ["{distance} around", "반경 {distance}"],

  list: ["List of riders", "라이더 목록"],
  listHint: ["List of riders (L)", "라이더 목록 (L)"],
  listText: ["Filter by id", "ID로 거르기"],
  listGroup: ["Group", "그룹"],
  allGroups: ["All groups", "모든 그룹"],
  listAll: ["{count} riders", "{count}명"],
  listOne: ["1 rider", "1명"],
  listSomeOfOne: ["{count} of 1 rider", "1명 중 {count}명"],
  listSome: ["{count} of {total} riders", "{total}명 중 {count}명"],
  list_state: ["State", "상태"],
  list_rider: ["Rider", "라이더"],
  listDelivery: ["With a delivery (its position names one)", "배달 있음 (위치에 배달 ID가 있음)"],
  list_battery: ["Battery", "배터리"],
  list_age: ["Last seen", "마지막 수신"],
  sort_state: ["Sort by state, the quiet first", "상태순 (수신 없음 먼저)"],
  sort_rider: ["Sort by id", "ID순"],
  sort_battery: ["Sort by battery, the lowest first", "배터리순 (낮은 것 먼저)"],
  sort_age: ["Sort by the time since the last position, the longest first", "마지막 수신 이후 시간순 (긴 것 먼저)"],

  deliveries: ["Open deliveries", "진행 중인 배달"],
  deliveriesNone: ["None", "없음"],
  deliveryShow: ["Show shop and door on the map", "지도에서 가게와 도착지 보기"],
  ASSIGNED: ["to pick up", "픽업 전"],
  PICKED_UP: ["on the way", "배달 중"],
  dueIn: ["due in {time}", "{time} 남음"],
  dueLate: ["{time} late", "{time} 늦음"],

  day: ["Day", "하루"],
  dayHint: ["The rider's day (D)", "라이더의 하루 (D)"],
  dayPanel: ["A rider's day", "라이더의 하루"],
  dayRider: ["Whose day", "라이더 ID"],
  dayDate: ["Date", "날짜"],
  dayBefore: ["The day before", "이전 날"],
  dayAfter: ["The day after", "다음 날"],
  dayTime: ["Time of day, {rider}", "시각, {rider}"],
  dayPlay: ["Play", "재생"],
  dayPause: ["Pause", "일시 정지"],
  dayRate: ["{minutes} min/s", "초당 {minutes}분"],
  dayRateHint: ["How much of the day a second shows", "1초에 보여 주는 시간"],
  dayBeside: ["Compare", "비교"],
  dayAlone: ["End comparing", "비교 끝내기"],
  dayCouple: ["Same time", "같은 시각"],
  dayCoupleHint: ["Both sliders at the same time of day", "두 슬라이더를 같은 시각에 맞춤"],
  dayLoading: ["Reading the day…", "하루를 읽는 중…"],
  dayEmpty: ["No positions on this day.", "이날의 위치가 없습니다."],
  dayCut: ["More positions than this page shows: it ends after {count}.", "위치가 너무 많아 처음 {count}개만 표시합니다."],
  dayGone: ["The server's log no longer reaches back to this day, and no sink of Parquet files kept it.", "서버 로그에 이날의 기록이 더 이상 없고, 이를 보관하는 Parquet 파일 싱크도 없습니다."],
  dayForbidden: ["This key may not see that rider's past.", "이 키로는 이 라이더의 지난 기록을 볼 수 없습니다."],
  dayOff: ["This server does not tell the past (its part “history” is off).", "이 서버는 지난 기록을 제공하지 않습니다 (history 기능이 꺼져 있음)."],
  dayNotYet: ["no position yet", "아직 위치 없음"],
  daySilent: ["no position since {time}", "{time} 이후 위치 없음"],
  dayDistance: ["Distance", "거리"],
  dayMoving: ["Moving", "이동"],
  dayIdle: ["Idle", "대기"],
  dayIdleHint: ["On the way, slower than 1 m/s", "이동 경로에서 1 m/s보다 느린 시간"],
  dayStays: ["Stays", "머무름"],
  dayStaysHint: ["At one place for 5 minutes or longer", "한곳에 5분 이상 머문 횟수와 시간"],
  dayDeliveries: ["Deliveries", "배달"],
  dayStay: ["Stay · {time}", "머무름 · {time}"],
  dayFailed: ["failed", "실패"],
  brokenOff: ["The answer broke off. Try again.", "응답이 중간에 끊겼습니다. 다시 시도해 주세요."],

  commands: ["Phone", "휴대폰"],
  phoneUnheard: ["not heard since the server's start", "서버 시작 후 수신 없음"],
  commandReport: ["Ask for a position", "위치 요청"],
  commandEvery: ["every {value}", "{value}마다"],
  commandDistance: ["every {value}", "{value}마다"],
  commandSet: ["Set", "적용"],
  commandNone: ["Its app takes no commands.", "이 앱은 명령을 받지 않습니다."],
  command_report: ["Position", "위치 요청"],
  command_configure: ["Settings", "설정"],
  command_text: ["Text", "텍스트"],
  command_custom: ["Command", "명령"],
  waiting: ["waits for the phone's next upload, {time}", "휴대폰의 다음 전송을 기다리는 중, {time}"],
  sent: ["sent {time} ago; the app does not confirm", "{time} 전에 보냄 (앱은 확인을 보내지 않음)"],
  dropped: ["not sent: its app does not understand it", "보내지 않음: 이 앱이 지원하지 않는 명령"],
  expired: ["not sent: it waited too long", "보내지 않음: 너무 오래 기다림"],

  phonesText: ["What to enter in each tracking app, with a QR code. A key is made that can only send this rider's data; it is shown here and kept nowhere.", "위치 앱마다 입력할 값과 QR 코드입니다. 이 라이더의 데이터만 보낼 수 있는 키를 새로 만들며, 여기에서만 보이고 저장되지 않습니다."],
  phonesRider: ["Rider id", "라이더 ID"],
  phonesUrl: ["Where phones reach this server", "휴대폰가 접속할 서버 주소"],
  phonesLoopback: ["Phones do not reach this computer by that name: enter the address they can use.", "이 주소로는 휴대폰가 접속할 수 없습니다. 휴대폰에서 쓸 수 있는 주소를 입력해 주세요."],
  phonesShow: ["Make a key and show the apps", "키를 만들고 앱 보기"],
  phonesApps: ["Apps", "앱"],
  phonesScanLink: ["Scan with the phone: it opens the app and sets it up.", "휴대폰로 스캔하면 앱이 열리고 설정됩니다."],
  phonesScanUrl: ["Scan to copy the URL; the rest is entered by hand.", "스캔하여 URL을 복사하고, 나머지는 직접 입력해 주세요."],
  phonesExpires: ["The key in it expires on {date}.", "여기에 들어 있는 키는 {date}에 만료됩니다."],
  phonesOpen: ["Open on this phone", "이 휴대폰에서 열기"],
  phonesCopy: ["Copy", "복사"],
};

let language = memory.get("language") ?? (navigator.language?.toLowerCase().startsWith("ko") ? "ko" : "en");
const listeners = [];

export const currentLanguage = () => language;

/** Adds the words of another page. */
export const addWords = (more) => Object.assign(WORDS, more);

/** A text in the current language; `{name}` in it is replaced. */
export function say(key, values = {}) {
  const text = WORDS[key]?.[language === "ko" ? 1 : 0] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Calls back now and after each change of the language. */
export function onLanguage(listener) {
  listeners.push(listener);
  listener();
}

export function switchLanguage() {
  language = language === "ko" ? "en" : "ko";
  memory.set("language", language);
  listeners.forEach((listener) => listener());
}

/** Puts the texts into all elements that name one: data-t, -t-label, -t-title, -t-placeholder. */
export function translatePage(title = "title") {
  document.documentElement.lang = language;
  document.title = say(title);
  for (const element of document.querySelectorAll("[data-t]")) {
    element.textContent = say(element.dataset.t);
  }
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", say(element.dataset.tLabel));
  }
  for (const element of document.querySelectorAll("[data-t-title]")) {
    element.title = say(element.dataset.tTitle);
    element.setAttribute("aria-label", say(element.dataset.tTitle));
  }
  for (const element of document.querySelectorAll("[data-t-placeholder]")) {
    element.placeholder = say(element.dataset.tPlaceholder);
  }
}
