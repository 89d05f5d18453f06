import { MayflyError } from './errors.ts'
import { isReserved } from './reserved.ts'

export const LOGIN_MIN_LENGTH = 3
/** RFC 5321 4.5.3.1.1 */
export const LOGIN_MAX_LENGTH = 64

const SHAPE = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/**
 * The canonical form of a login that somebody chose: case folded. Throws `login_invalid` where it isn't 3 to 64 of
 * `a-z 0-9 . _ -` without leading, trailing or doubled dots, and `login_reserved` for operator names and look-alikes.
 */
export function chosenLogin(input: string): string {
  const login = input.trim().toLowerCase()
  // Reserved first: "admin" in full-width letters should hear why, not that its letters are odd.
  if (isReserved(login)) throw new MayflyError('login_reserved')
  if (login.length < LOGIN_MIN_LENGTH || login.length > LOGIN_MAX_LENGTH || !SHAPE.test(login)) {
    throw new MayflyError(
      'login_invalid',
      'A login is 3 to 64 of a-z 0-9 . _ - without leading, trailing or doubled dots',
    )
  }
  return login
}

/** The login that mail to this local part reaches: case folded, unquoted, without `+anything`. Undefined for an empty one. */
export function recipientLogin(localPart: string): string | undefined {
  const unquoted = /^".*"$/s.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/gs, '$1') : localPart
  const plus = unquoted.indexOf('+')
  const login = (plus === -1 ? unquoted : unquoted.slice(0, plus)).toLowerCase()
  return login === '' ? undefined : login
}
