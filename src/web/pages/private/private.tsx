import { pathIn } from '#locales/languages.ts'
import { usePayload } from '../../app/page.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Link } from '../../components/link.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { type MessageKey, useLanguage, useText } from '../../i18n/text.tsx'
import { Create } from './create.tsx'
import { KeyOf } from './key-of.tsx'

/** Creates a fully private address, or shows the one in the query. */
export function Private() {
  const { data, site } = usePayload('private')
  if (!site.account) return <Requirement words="private.signIn" way="premium.signIn" to="/account" />
  if (data.address) return <KeyOf key={data.address.id} address={data.address} active={site.account.active} />
  if (!site.account.active) return <Requirement words="account.state.ended" way="change.upgrade" to="/premium" />
  return <Create domains={data.domains} own={data.own} />
}

/** Shown if the visitor must first sign in or buy Premium. */
function Requirement({ words, way, to }: { words: MessageKey; way: MessageKey; to: string }) {
  const text = useText()
  const { code } = useLanguage()
  const { problem } = usePayload('private')
  return (
    <Notice title={text('private.title')} words={text(words)}>
      <ProblemLine problem={problem} />
      <Link className={buttonClass('main')} href={pathIn(code, to)}>
        {text(way)}
      </Link>
    </Notice>
  )
}
