import { buttonClass } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { useText } from '../../i18n/text.tsx'

/** The service worker shows this page when there is no connection. It does not load the site's script. */
export function Offline() {
  const text = useText()
  return (
    <Notice title={text('offline.title')} words={text('offline.text')}>
      <p>{text('offline.cannot')}</p>
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty href reloads the requested page */}
      <a className={buttonClass('main')} href="">
        {text('offline.retry')}
      </a>
    </Notice>
  )
}
