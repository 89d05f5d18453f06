import { MayflyError } from '../errors.ts'
import { isReserved, OPERATOR_LOGINS } from './reserved.ts'

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
  return shaped(login, LOGIN_MIN_LENGTH)
}

/**
 * The same under a domain that the subscriber brought: names may be shorter, and are the owner's to give, but for those that
 * reach the operator of the service.
 */
export function ownLogin(input: string): string {
  const login = input.trim().toLowerCase()
  if (OPERATOR_LOGINS.has(login)) throw new MayflyError('login_reserved')
  return shaped(login, 1)
}

function shaped(login: string, minLength: number): string {
  if (login.length < minLength || login.length > LOGIN_MAX_LENGTH || !SHAPE.test(login)) {
    throw new MayflyError(
      'login_invalid',
      `A login is ${minLength} to ${LOGIN_MAX_LENGTH} of a-z 0-9 . _ - without leading, trailing or doubled dots`,
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
