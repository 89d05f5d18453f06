import { integer, text, url } from './kinds.ts'
import { setting } from './setting.ts'

const PATH = text('a path')

/** Links and advertising on the pages. */
export const pages = {
  appStoreUrl: setting(
    'APP_STORE_URL',
    url,
    undefined,
    'Where "Browser app" in the header leads; unset: a page on installing the site',
  ),
  mobileStoreUrl: setting(
    'MOBILE_STORE_URL',
    url,
    undefined,
    'Where "Mobile app" in the header leads; unset: a page on installing the site',
  ),
  tempNumberUrl: setting(
    'TEMP_NUMBER_URL',
    url,
    undefined,
    'Where "Temp Number" in the header leads; unset: an article',
  ),
  advertisingUrl: setting(
    'ADVERTISING_URL',
    url,
    undefined,
    'Where "Advertising" in the footer leads; unset: the contact form',
  ),
  adTopFile: setting('AD_TOP_FILE', PATH, undefined, 'HTML file of the advertisement above the pages; unset: none'),
  adTopHeight: setting('AD_TOP_HEIGHT_PIXELS', integer(1, 2000), '90', 'Its height'),
  adBottomFile: setting(
    'AD_BOTTOM_FILE',
    PATH,
    undefined,
    'HTML file of the advertisement below the pages; unset: none',
  ),
  adBottomHeight: setting('AD_BOTTOM_HEIGHT_PIXELS', integer(1, 2000), '250', 'Its height'),
}
