import type { Line } from './lines.ts'
import type { Link } from './links.ts'
import { lower, JOIN, LOGIN, NOT_ME, PASSWORD, QUIET, TRADE, VERIFY } from './words/words.ts'

const NEVER_HOST =
  /(?:^|\.)(?:facebook|twitter|x|instagram|linkedin|youtube|tiktok|pinterest|vk|ok|weibo|apps\.apple|itunes\.apple|play\.google)\.(?:com|ru|me)$|(?:^|\.)(?:t|wa)\.me$/i
const NEVER_PATH =
  /unsub|opt-?out|abmeld|desinscri|baja|preferenc|privacy|terms|legal|help|support|faq|contact|report|abuse|track(?:ing)?\/|\/orders?\b|invoice|receipt|newsletter(?!.*(?:doi|confirm|verif|opt-?in|activ))|(?:^|[/_-])(?:secure|deny|reject|decline|cancel|revoke|not-?me|dispute|statement|survey|reviews?|rating|blog|articles?|guides?|feedback|checkout|cart|pay|payments?|paiement|pagos?|pagamentos?|bezahlen|oplata)(?:$|[/_-])|\.(?:png|jpe?g|gif|svg|css|ico|webp)$/i
const ACTION_URL =
  /verif|confirm|activat|aktiv|valida|opt-?in|magic|one-?time|passwordless|password-?reset|reset|set-?password|new-?password|recover|invit|accept|complete-?(?:sign|reg)|email-?link|login-?link|signin-?link|signup-?token|bestaetig|potwierd|podtver|onay|dogrula|ativar|conferm|actionlink|log-?in-?with|restore|unlock|\/doi\/|double-?opt|auth\/(?:link|email|callback)/i
/** A query parameter or path segment that is unique to one recipient. */
const TOKEN =
  /[=/](?=[\w-]*\d[a-z])(?=[\w-]*[a-z]\d)(?![\w-]*[a-z]{3,}-)[\w-]{10,}(?:$|[/?&#])|[?&;](?:token|code|key|hash|t|k|h|sig|oobCode|confirmation_token|data|upn|id|u|c)=[\w%.~+/-]{6,}|[?&][\w-]{1,30}=(?=[\w%.~+-]*\d[a-z])[\w%.~+-]{10,}|[=/](?=[\w.~-]*\d)(?![\w.~-]*[a-z]{3,}-[a-z]{2,}-)[\w.~-]{16,}/i

const ACCEPTED = 4

/** Returns the weight of a link as confirmation link. 0 if it is none. */
function weigh({ url, ...words }: Link, subject: Line): number {
  const label = lower(words.label)
  const before = lower(words.before)
  const after = lower(words.after)
  if (!URL.canParse(url)) return 0
  const { hostname, pathname, search, hash, username } = new URL(url)
  if (username || (pathname.length <= 1 && !search && hash.length <= 1) || NEVER_HOST.test(hostname)) return 0
  if (NEVER_PATH.test(pathname) || NOT_ME.test(label) || NOT_ME.test(before.slice(-110)) || TRADE.test(label)) return 0
  const action = VERIFY.test(label) || PASSWORD.test(label) || JOIN.test(label)
  const quiet = label.search(QUIET)
  if ((!action && quiet >= 0) || (quiet === 0 && !PASSWORD.test(label))) return 0
  const last = before.slice(-40)
  if (label === '' && QUIET.test(last) && !VERIFY.test(last) && !PASSWORD.test(last)) return 0
  const urlAction = ACTION_URL.test(pathname + search)
  const token = TOKEN.test(pathname + search + hash)
  if (!urlAction && !token) return 0
  const near = before.slice(-110)
  let weight = 0
  if (action) weight = 3
  else if (LOGIN.test(label)) weight = urlAction ? 2 : 0
  // The words before a button do not describe it: "Your address is verified. [Open Quay]".
  else if ((label === '' || urlAction) && (VERIFY.test(near) || PASSWORD.test(near) || JOIN.test(near)))
    weight = label.length < 40 ? 2 : 0
  else if (LOGIN.test(near) && token && (label === '' || urlAction)) weight = 2
  // No words describe the link, but the subject and the URL do.
  else if (urlAction && token && subject.purpose) weight = 1
  else if (VERIFY.test(after) && !QUIET.test(after)) weight = 2
  if (subject.trade && !urlAction) return 0
  if (weight === 0 || (label === '' && TRADE.test(near))) return 0
  return weight + (urlAction ? 2 : 0) + (token ? 1 : 0) + (subject.purpose && !subject.trade ? 1 : 0)
}

/** Returns the link that confirms, activates, resets or signs in. Null if there is none or two have the same weight. */
export function findLink(subject: Line, links: readonly Link[]): string | null {
  const weights = new Map<string, number>()
  for (const link of links) {
    const weight = weigh(link, subject)
    if (weight >= ACCEPTED) weights.set(link.url, Math.max(weight, weights.get(link.url) ?? 0))
  }
  const [best, second] = [...weights].toSorted(([, a], [, b]) => b - a)
  return best && best[1] !== second?.[1] ? best[0] : null
}
