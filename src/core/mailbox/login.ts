import { MayflyError } from '../errors.ts'
import { isReserved, OPERATOR_LOGINS } from './reserved.ts'

export const LOGIN_MIN_LENGTH = 3
/** RFC 5321 4.5.3.1.1 */
export const LOGIN_MAX_LENGTH = 64

const SHAPE = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

/**
 * Returns the canonical form of a login that a visitor chose: trimmed and in lower case. Throws `login_invalid` unless
 * it has 3 to 64 characters of `a-z 0-9 . _ -` without leading, trailing or doubled dots, and `login_reserved` for
 * operator names and look-alikes.
 */
export function chosenLogin(input: string): string {
  const login = input.trim().toLowerCase()
  // Check for reserved names first: for "admin" in full-width letters, `login_reserved` is the more helpful error.
  if (isReserved(login)) throw new MayflyError('login_reserved')
  return shaped(login, LOGIN_MIN_LENGTH)
}

/**
 * Like `chosenLogin`, for a subscriber's own domain: logins may be shorter, and only those that reach the operator of
 * the service are reserved.
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

/**
 * Returns the login that a local part addresses: in lower case, unquoted, without `+anything`. Undefined if nothing is
 * left.
 */
export function recipientLogin(localPart: string): string | undefined {
  const unquoted = /^".*"$/s.test(localPart) ? localPart.slice(1, -1).replace(/\\(.)/gs, '$1') : localPart
  const plus = unquoted.indexOf('+')
  const login = (plus === -1 ? unquoted : unquoted.slice(0, plus)).toLowerCase()
  return login === '' ? undefined : login
}
