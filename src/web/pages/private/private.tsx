import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import { Create } from './create.tsx'
import { KeyOf } from './key-of.tsx'

/** Fully private addresses: making one, and the mail of one. */
export function Private() {
  const { data, site } = usePayload('private')
  if (!site.account) return <First words="private.signIn" way="premium.signIn" to="/account" />
  if (data.address) return <KeyOf key={data.address.id} address={data.address} active={site.account.active} />
  if (!site.account.active) return <First words="problem.premium_required" way="change.upgrade" to="/premium" />
  return <Create domains={data.domains} own={data.own} />
}

/** What must be there before. */
function First({ words, way, to }: { words: MessageKey; way: MessageKey; to: string }) {
  const text = useText()
  const { code } = useLanguage()
  return (
    <Notice title={text('private.title')} words={text(words)}>
      <Link className={buttonClass('main')} href={pathIn(code, to)}>
        {text(way)}
      </Link>
    </Notice>
  )
}
