/** Remote images of one mail that a browser may have fetched by the proxy. */
export const REMOTE_URLS_MAX = 200
