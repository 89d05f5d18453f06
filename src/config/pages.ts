import { integer, text, url } from './kinds.ts'
import { setting } from './setting.ts'

const PATH = text('a path')

/** Links and advertising on the pages. */
export const pages = {
  appStoreUrl: setting(
    'APP_STORE_URL',
    url,
    undefined,
    'Link of "Browser extension" in the header; unset: the page /apps',
  ),
  mobileStoreUrl: setting(
    'MOBILE_STORE_URL',
    url,
    undefined,
    'Link of "Mobile app" in the header; unset: how to install the site, at /apps',
  ),
  tempNumberUrl: setting('TEMP_NUMBER_URL', url, undefined, 'Link of "Temp Number" in the header; unset: an article'),
  advertisingUrl: setting(
    'ADVERTISING_URL',
    url,
    undefined,
    'Link of "Advertising" in the footer; unset: the contact form',
  ),
  adTopFile: setting('AD_TOP_FILE', PATH, undefined, 'HTML file of the advertisement above the pages; unset: none'),
  adTopHeight: setting(
    'AD_TOP_HEIGHT_PIXELS',
    integer(1, 2000),
    '90',
    'Height of the advertisement above the pages, in pixels',
  ),
  adBottomFile: setting(
    'AD_BOTTOM_FILE',
    PATH,
    undefined,
    'HTML file of the advertisement below the pages; unset: none',
  ),
  adBottomHeight: setting(
    'AD_BOTTOM_HEIGHT_PIXELS',
    integer(1, 2000),
    '250',
    'Height of the advertisement below the pages, in pixels',
  ),
}
