import type { PrivateAddressJson } from '#contract/pages.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useText } from '../../i18n/text.tsx'
import type { PrivateKeys } from '../../private/keys.ts'
import { privateApi, toBase64Url } from '../../private/private-api.ts'

interface Props {
  address: PrivateAddressJson
  /** Null if the address cannot be restored here: this device lacks the key, or the account has no Premium. */
  keys: PrivateKeys | null
}

/**
 * An address that was deleted after its subscription ended. Its name stays reserved for a while for the key's owner.
 */
export function Ended({ address: { id, address, label }, keys }: Props) {
  const text = useText()
  const { refresh } = usePage()
  const { busy, problem, attempt } = useAttempt()

  async function restore({ publicKey }: PrivateKeys): Promise<void> {
    const at = address.lastIndexOf('@')
    await privateApi.create({
      id,
      publicKey: toBase64Url(publicKey),
      login: address.slice(0, at),
      domain: address.slice(at + 1),
      label,
    })
    await refresh()
  }

  return (
    <Notice above={address} title={text('home.ended')} words={text(keys ? 'private.endedText' : 'home.endedText')}>
      {keys ? (
        <Button look="main" disabled={busy} onClick={() => void attempt(() => restore(keys))}>
          {text('private.back')}
        </Button>
      ) : null}
      <ProblemLine problem={problem} words={{ premium_required: 'account.state.ended' }} />
    </Notice>
  )
}
