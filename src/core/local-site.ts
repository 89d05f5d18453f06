const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a site (its URL) is for who sits at this very machine. */
export const isLocalSite = (url: string): boolean => LOCAL.has(new URL(url).hostname)
