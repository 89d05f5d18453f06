/** Returns a random whole number from 0 to below its argument. */
export type Random = (below: number) => number

export const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T

/** How codes are written: `9` is a digit, `X` a capital or a digit, `L` a capital, `x` a lower-case letter or a digit. */
export const SHAPES = [
  '999999',
  'XXXXXX',
  '9999',
  '999999',
  'XXXX-XXXX',
  '99999999',
  '999 999',
  'XXXXXXXX',
  '999999',
  'XXX-XXX',
  '99999',
  '999-999',
  'LLLLLL',
  '9999',
  'xxxxxxxx',
  'G-999999',
  '999999',
  'L9L9L9L9',
  '9999999',
  'XXXXX-XXXXX',
]
/** Shapes of numbers that are not codes. */
export const OTHER_SHAPES = SHAPES.filter((shape) => !shape.startsWith('G'))
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const ALPHABETS: Record<string, string> = {
  '9': '0123456789',
  L: LETTERS,
  X: `${LETTERS}23456789`,
  x: `${LETTERS.toLowerCase()}23456789`,
}

/** URLs of confirmation links. `H` stands for the host, `T` for a token. */
export const LINKS = [
  'https://H/verify?token=T',
  'https://H/accounts/confirm-email/T/',
  'https://H/users/confirmation?confirmation_token=T',
  'https://H/auth/v1/verify?token=T&type=signup',
  'https://click.H/ls/click?upn=T',
  'https://H/u/activate/T',
  'https://H/a/T',
  'http://localhost:3000/confirm?code=T',
  'https://H/wp-login.php?action=rp&key=T&login=anna',
  'https://H/r/T?utm_source=mail',
  'https://H/email/verify/12/T?expires=1790000000&signature=T',
  'http://192.168.1.20:8080/signup/confirm/T',
]
/** URLs of links that confirm nothing. */
export const OTHERS = [
  'https://H/orders/48213',
  'https://click.H/ls/click?upn=T',
  'https://H/t/T',
  'https://H/view?id=T',
  'https://H/',
  'https://H/posts/summer-news?utm_source=mail',
  'https://H/account/invoices/T.pdf',
  'https://H/unsubscribe?u=T',
  'https://H/a/T',
  'https://H/payments/T/confirm',
  'https://H/transfer/approve?token=T',
  'https://H/account/delete/confirm?token=T',
]
const TOKEN_LENGTHS = [10, 22, 32, 43]

/** Returns a random value of a shape, with a letter and a digit if the shape has room for both. */
export function valueOf(shape: string, random: Random): string {
  const value = shape.replace(/[9LXx]/g, (sign) => pick([...(ALPHABETS[sign] ?? '')], random))
  if (!/X/i.test(shape)) return value
  const first = /x/.test(shape) ? 'k' : 'K'
  return /\d/.test(value) && /\p{L}/u.test(value) ? value : `${first}${value.slice(1, -1)}7`
}

/** Returns the code as a person types it: digits without separators, and without the prefix `G-`. */
export const copied = (code: string): string =>
  /^\d[\d -]*$/.test(code) ? code.replace(/\D/g, '') : code.replace(/^G-(?=\d+$)/, '')

function tokenOf(random: Random): string {
  const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
  return Array.from({ length: pick(TOKEN_LENGTHS, random) }, () => signs[random(signs.length)]).join('')
}

export const hostOf = (brand: string): string => `${brand.toLowerCase().replace(' ', '-')}.example`

/** Returns a URL from a list, with the host of a brand and a random token. */
export const linkOf = (urls: readonly string[], brand: string, random: Random): string =>
  pick(urls, random).replace('H', hostOf(brand)).replaceAll('T', tokenOf(random))
