/** The longest lifetime of a cookie that browsers allow, in seconds. A cookie may outlive its address. */
export const COOKIE_SECONDS = 400 * 24 * 3600

/**
 * The name of a cookie. Under https, a name that no other host and no page without https can set (RFC 6265bis 4.1.3.2).
 */
export const cookieName = (name: string, secure: boolean): string => `${secure ? '__Host-' : ''}mayfly_${name}`
export const cookieAttributes = (secure: boolean) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure }) as const
