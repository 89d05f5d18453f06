import { Line } from './lines.ts'
import { lower } from './words/words.ts'

const SOCIAL_HOST =
  /(?:^|\.)(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|vk|ok|weibo|apps\.apple|itunes\.apple|play\.google|threads|discord|snapchat|reddit)\.(?:com|ru|me|net|gg)$|(?:^|\.)(?:t|wa|fb)\.me$/i
const STORE_HOST = /(?:^|\.)(?:apps\.apple|itunes\.apple|play\.google|appgallery\.huawei)\.com$/i
const TRACKING_HOST = /(?:^|[.-])(?:click|links?|track(?:ing)?|ct|email|e|go|t|url\d*|lnk|mail(?:er)?|trk|news|r)\d*\./i
const OTHER_PATH =
  /unsub|opt-?out|abmeld|desinscri|baja|preferenc|privacy|terms|legal|help|support|faq|contact|report|abuse|\/orders?\b|invoice|receipt|newsletter(?!.*(?:doi|confirm|verif|opt-?in|activ))|(?:^|[/_-])(?:secure|deny|disavow|reject|decline|cancel|revoke|not-?me|dispute|statement|survey|reviews?|rating|blog|articles?|guides?|feedback|checkout|cart|pay|payments?|paiement|pagar|pagos?|pagamentos?|bezahlen|oplata|order|track|parcel|booking|ticket)s?(?:$|[/_-])/i
/**
 * Words in paths of links that pay, hand over, delete or answer an invitation. These links often contain a token and
 * `confirm`, as links to confirm an address do.
 */
const DEAL_PATH =
  /(?:^|[/_-])(?:bills?|invest|transfers?|withdraw(?:als?)?|deposits?|payouts?|mandates?|autopay|debit|sepa|in[ck]asso|expenses?|quotes?|offers?|purchases?|refunds?|donat(?:e|ions?)|upgrade|ownership|hand-?over|merge|delete|deletion|remove|terminate|close|closure|rsvp|votes?|appointments?|appt|rdv|attendance|timesheets?)(?:$|[/_-])/i
export const OPT_OUT = /unsub|opt-?out/i
const FILE_PATH = /\.(?:png|jpe?g|gif|svg|css|ico|webp|pdf)$/i
const ACTION_URL =
  /verif|confirm|activat|aktiv|valida|opt-?in|magic|set-?up|onboard|one-?time|passwordless|password-?reset|reset|set-?password|new-?password|recover|invit|accept|complete-?(?:sign|reg)|email-?link|login-?link|signin-?link|signup-?token|bestaetig|potwierd|podtver|onay|dogrula|ativar|conferm|actionlink|log-?in-?with|lost-?password|set-?pw|\/pw\/|first-login|claim|trust|restore|unlock|\/doi\/|double-?opt|auth\/(?:link|email|callback)|action\?mode=|action=|approve|welcome\/|join|sso|otp|auth|reg|signup/i
/** A part of a URL that is unique to one recipient. */
export const TOKEN =
  /[=/](?=[\w-]*\d[a-z])(?=[\w-]*[a-z]\d)(?![\w-]*[a-z]{3,}-)[\w:-]{10,}(?:$|[/?&#])|[?&;](?:token|code|key|hash|t|k|h|sig|oobCode|confirmation_token|data|upn|id|u|c)=[\w%.~+/-]{6,}|[?&][\w-]{1,30}=(?=[\w%.~+-]*\d[a-z])[\w%.~+-]{10,}|[=/](?=[\w.~-]*\d)(?![\w.~-]*[a-z]{3,}-[a-z]{2,}-)[\w.~-]{16,}/i
/** Each parameter has one way to match. With two, the time would double with each of them. */
const ONLY_TRACKING = /^\??(?:utm_\w+=[^&]*(?:&|$))*$/

/** Hosts of instructions. */
const HELP_HOST =
  /^(?:help|support|helpdesk|faq|docs|hilfe|aide|ayuda|ajuda|yardim|pomoc|guide|learn|community|status|blog)\./i
/** Hosts of "view in browser" links. */
const VIEW_HOST = /^(?:view|browser|mirror|webversion|webview)\./i

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Adds the features of a URL. Returns false for URLs that confirm nothing, such as files, app stores and home pages. */
export function urlFeatures(
  { hostname, pathname, search, hash, username }: URL,
  add: (feature: string) => void,
): boolean {
  if (username) return false
  const bare = pathname.length <= 1 && hash.length <= 1
  if (bare && !search) return false
  if (FILE_PATH.test(pathname) || OPT_OUT.test(pathname)) return false
  if (bare && ONLY_TRACKING.test(search)) add('url bare')
  if (STORE_HOST.test(hostname)) return false
  if (SOCIAL_HOST.test(hostname)) add('social host')
  if (VIEW_HOST.test(hostname)) add('view host')
  if (HELP_HOST.test(hostname)) add('help host')
  if (TRACKING_HOST.test(hostname)) add('tracking host')
  const path = wordsIn(pathname)
  if (OTHER_PATH.test(path)) add('other path')
  if (DEAL_PATH.test(path)) add('deal path')
  const action = ACTION_URL.test(path + wordsIn(search))
  const token = TOKEN.test(pathname + search + hash)
  if (action) add('url action')
  if (token) add('url token')
  if (action && token) add('url action token')
  const words = lower(decoded(path)).replace(/[^\p{L}\p{M}]+/gu, ' ')
  const named = new Line(words)
  for (const meaning of ['verify', 'login', 'password', 'join', 'undo'] as const)
    if (named.has(meaning)) add(`url ${meaning}`)
  for (const topic of named.topics) add(`url ${topic}`)
  const random = randomness(pathname + search + hash)
  if (random >= 2) add('random part')
  if (random >= 4) add('very random part')
  if (ONLY_TRACKING.test(search) && !token) add(random >= 2 ? 'url plain, random part' : 'url plain')
  const longest = Math.max(0, ...(pathname + search + hash).split(/[/?&=#.]/).map(({ length }) => length))
  add(longest >= 32 ? 'url long' : longest >= 16 ? 'url medium' : 'url short')
  return true
}

/** The path of a redirect that counts clicks. */
const CLICKS = /\/track(?=\/(?:click|open))/i
/** `confirmEmail`, `ResetPassword`. Each position has one way to match, so that long words don't take long. */
const JOINED_WORDS = /^(?=.)(?:[a-z]{2,})?(?:[A-Z]+[a-z]{2,})*(?:[A-Z]{2,})?$/

/** Returns a part of a URL without the words that mean nothing: random ones, and those of redirects. */
const wordsIn = (part: string): string =>
  part
    .replace(CLICKS, '')
    .replace(/[A-Za-z\d]{6,}/g, (word) => (randomness(word) >= 2 && !JOINED_WORDS.test(word) ? '' : word))

/** Returns how often the kind of character changes in the most random part of a path or query: 4 for `Uq81zP`. */
function randomness(path: string): number {
  let most = 0
  for (const part of path.split(/[^A-Za-z\d]+/)) {
    if (part.length < 4) continue
    const kinds = part.match(/[a-z]+|[A-Z]+|\d+/g)?.length ?? 0
    most = Math.max(most, kinds - (/^[A-Z][a-z]/.test(part) ? 2 : 1))
  }
  return most
}
