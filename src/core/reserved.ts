/**
 * Logins nobody may choose: the role names of RFC 2142, those that certificate authorities trust (CA/Browser Forum
 * Baseline Requirements 3.2.2.4.4), and names that would pass for the operator.
 */
const RESERVED = [
  'postmaster', 'abuse', 'hostmaster', 'webmaster', 'usenet', 'news', 'www', 'uucp', 'ftp', 'noc', 'security',
  'info', 'marketing', 'sales', 'support', 'list', 'trouble',
  'admin', 'administrator', 'administration', 'administrators', 'admins', 'sysadmin', 'sysop', 'root', 'superuser',
  'ssladmin', 'ssladministrator', 'sslwebmaster', 'is', 'it', 'mis', 'cert', 'certs', 'certificate', 'ssl', 'tls', 'pki',
  'noreply', 'donotreply', 'mailerdaemon', 'maildaemon', 'daemon', 'mailer', 'bounce', 'bounces', 'nobody', 'system',
  'operator', 'operations', 'owner', 'moderator', 'staff', 'team', 'official', 'mayfly', 'mayflyteam', 'mayflysupport',
  'help', 'helpdesk', 'contact', 'service', 'customerservice', 'feedback', 'legal', 'privacy', 'dmca', 'copyright', 'compliance',
  'dpo', 'gdpr', 'dmarc', 'dmarcreports', 'tlsrpt', 'tlsreports', 'mtasts', 'dkim', 'spf', 'arc', 'fbl', 'feedbackloop',
  'billing', 'payment', 'payments', 'invoice', 'invoices', 'accounts', 'accounting', 'finance', 'premium', 'subscription',
  'subscriptions', 'press', 'media', 'jobs', 'careers', 'hr', 'ceo', 'cto', 'ciso', 'phishing', 'spam', 'antispam', 'virus',
  'mail', 'email', 'smtp', 'imap', 'pop', 'pop3', 'mx', 'ns', 'dns', 'api', 'web', 'localhost', 'host', 'hosting', 'server',
  'listserv', 'listmaster', 'majordomo', 'autoconfig', 'autodiscover', 'wpad', 'guest', 'test', 'everyone', 'all', 'unsubscribe',
  'notification', 'notifications', 'alert', 'alerts', 'account', 'login', 'signin', 'signup', 'register', 'password', 'verify', 'verification',
] as const

/** Letters of other scripts, and digits, that pass for a Latin letter (the common part of Unicode TR39's confusables). */
const LOOK_ALIKES: Record<string, string> = {
  а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', н: 'h', о: 'o', р: 'p', ԛ: 'q',
  ѕ: 's', т: 't', у: 'y', ѵ: 'v', ԝ: 'w', х: 'x', г: 'r', п: 'n', α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'i', κ: 'k', μ: 'u',
  ν: 'v', ο: 'o', ρ: 'p', σ: 'o', τ: 't', υ: 'u', χ: 'x', ω: 'w', ɑ: 'a', ɡ: 'g', ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'b',
  '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', $: 's', '@': 'a', '!': 'l', '|': 'l',
}

/** What a hurried reader sees: width and accents gone, look-alikes replaced, `i` and `l` one letter, separators out. */
function skeleton(login: string): string {
  const beforePlus = login.split(/[+＋]/, 1)[0] ?? ''
  const plain = beforePlus.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  const latin = Array.from(plain, (letter) => LOOK_ALIKES[letter] ?? letter).join('')
  return latin.replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/i/g, 'l').replace(/[^\p{L}]/gu, '')
}

const SKELETONS = new Set(RESERVED.map(skeleton))

/** Names to which mail is accepted although nobody can hold them (RFC 5321 4.5.1, RFC 2142). */
export const OPERATOR_LOGINS: ReadonlySet<string> = new Set(['postmaster', 'abuse'])

/** Whether a login is an operator's name or looks like one: case, dots, plus parts, width, accents, look-alikes, trailing digits. */
export function isReserved(login: string): boolean {
  const withoutNumber = login.replace(/[._-]*\d+$/, '')
  return SKELETONS.has(skeleton(login)) || (withoutNumber !== login && SKELETONS.has(skeleton(withoutNumber)))
}
