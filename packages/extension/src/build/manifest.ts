import type { UserManifest } from 'wxt'

/** Only scripts of the package run, and no page may frame a page of the extension. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' http: https:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Without optional permissions, the extension accesses a page only after a gesture (`activeTab`). */
export const manifestFor = (browser: 'chromium' | 'firefox'): UserManifest => ({
  name: '__MSG_name__',
  description: '__MSG_description__',
  default_locale: 'en',
  permissions: ['activeTab', 'alarms', 'contextMenus', 'notifications', 'scripting', 'storage'],
  // Asked for when marks are switched on, or for the site of the service when Premium is connected.
  optional_host_permissions: ['*://*/*'],
  // The storage of an extension is on the disk, where nothing of a private window may stay.
  incognito: 'not_allowed',
  icons: Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icon/${size}.png`])),
  content_security_policy: { extension_pages: POLICY },
  commands: {
    fill: { suggested_key: { default: 'Alt+Shift+M' }, description: '__MSG_fill__' },
  },
  ...(browser === 'firefox'
    ? {
        browser_specific_settings: {
          gecko: {
            id: 'extension@mayfly.example',
            // The first version, also on Android, that knows `data_collection_permissions`.
            strict_min_version: '142.0',
            data_collection_permissions: { required: ['none'] },
          },
        },
      }
    : { minimum_chrome_version: '128' }),
})
