/** Domains that fraudsters imitate most, by the reports of the last years. */
export const BRANDS = `
adobe.com airbnb.com alibaba.com aliexpress.com alipay.com allegro.pl amazon.com americanexpress.com apple.com
bankofamerica.com barclays.co.uk bbva.com binance.com bitpanda.com blockchain.com booking.com bradesco.com.br
capitalone.com cashapp.com chase.com citibank.com coinbase.com commerzbank.de correos.es deutschebank.de discord.com
disneyplus.com docusign.com dropbox.com ebay.com epicgames.com facebook.com fedex.com github.com gitlab.com gmail.com
google.com gosuslugi.ru hermesworld.com hotmail.com hsbc.com icloud.com instagram.com intuit.com itau.com.br
kakao.com kraken.com laposte.fr ledger.com linkedin.com mastercard.com mercadolibre.com mercari.com metamask.io
microsoft.com monzo.com naver.com netflix.com nintendo.com nubank.com.br office365.com onedrive.com outlook.com
paypal.com pinterest.com playstation.com postbank.de postnord.com rakuten.co.jp revolut.com roblox.com royalmail.com
sagawa-exp.co.jp santander.com sberbank.ru shopify.com smbc-card.com snapchat.com sparkasse.de spotify.com
steampowered.com swisscom.ch swisspost.ch taobao.com telegram.org tencent.com tiktok.com trustwallet.com twitter.com
vodafone.com walmart.com wechat.com wellsfargo.com wetransfer.com whatsapp.com yahoo.com yandex.ru
`
  .trim()
  .split(/\s+/)

/** Letters of other alphabets, and digits, that look like these Latin letters (Unicode Technical Standard 39). */
const LOOKS_LIKE: Record<string, string> = {
  a: '4@\u0430\u0251\u03B1\u0101',
  b: '\u0184\u042C\u0432\u13CF',
  c: '\u0441\u03F2\u1D04\u2CA5',
  d: '\u0501\u0257\u13E7',
  e: '3\u0435\u04BD\u0454\u212E\u03B5',
  f: '\u0192\u0493\u0584',
  g: '9\u0261\u0581\u018D',
  h: '\u04BB\u0570\u13C2',
  i: '!\u0456\u0131\u03B9\u0269\u04CF\u2170',
  j: '\u0458\u03F3',
  k: '\u043A\u03BA\u1D0B',
  l: '1|\u0142\u04C0\u0399\u217C\u05C0\u01C0',
  m: '\u043C\u217F\u1D0D',
  n: '\u0578\u057C\u043F\u03B7\u0274',
  o: '0\u043E\u03BF\u0585\u00F8\u04E9\u06F0\u0966',
  p: '\u0440\u03C1\u2CA3\u01A5',
  q: '\u051B\u0563\u0566',
  r: '\u0433\u1D26\u0280',
  s: '5$\u0455\u01BD\uA731',
  t: '7\u0442\u03C4\u1D1B',
  u: '\u03C5\u057D\u0446\u1D1C',
  v: '\u03BD\u0475\u2174\u1D20',
  w: '\u051D\u0461\u1D21\u0561',
  x: '\u0445\u04B3\u2179\u03C7',
  y: '\u0443\u04AF\u03B3\u028F\u1EFF',
  z: '2\u1D22\u0290',
}
export const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
)
