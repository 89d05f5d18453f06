import type { MessageKey } from '../../i18n/text.tsx'

/** How a browser installs a site. `none`: it cannot. */
type System = 'apple-mobile' | 'android' | 'chromium' | 'mac-safari' | 'none'

/** A step, and the picture beside it: what the visitor looks for. */
export type Step = [picture: 'share' | 'add' | 'menu' | 'install' | 'confirm' | 'bookmark', words: MessageKey]

export const STEPS: Record<System, readonly Step[]> = {
  'apple-mobile': [
    ['share', 'apps.share'],
    ['add', 'apps.homeScreen'],
    ['confirm', 'apps.confirm'],
  ],
  android: [
    ['menu', 'apps.menu'],
    ['add', 'apps.homeScreen'],
    ['confirm', 'apps.confirm'],
  ],
  chromium: [
    ['install', 'apps.icon'],
    ['confirm', 'apps.confirm'],
  ],
  'mac-safari': [
    ['share', 'apps.share'],
    ['add', 'apps.dock'],
    ['confirm', 'apps.confirm'],
  ],
  none: [['bookmark', 'apps.bookmark']],
}

/** Returns how the browser with this user agent installs a site. An iPad says that it is a Mac, but has a touch screen. */
export function systemOf(userAgent: string, touchPoints: number): System {
  const isMac = /Macintosh/.test(userAgent)
  if (/iPhone|iPad|iPod/.test(userAgent) || (isMac && touchPoints > 1)) return 'apple-mobile'
  if (/Android/.test(userAgent)) return 'android'
  if (/Chrome\//.test(userAgent)) return 'chromium'
  return isMac && /Safari\//.test(userAgent) ? 'mac-safari' : 'none'
}
