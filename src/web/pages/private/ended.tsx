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
  /** Null where it can't be had again: the key is not here, or there is no Premium. */
  keys: PrivateKeys | null
}

/** An address that ended with its subscription. Its name is held for a while for who has its key. */
export function Ended({ address: { id, address, label }, keys }: Props) {
  const text = useText()
  const { refresh } = usePage()
  const { busy, problem, attempt } = useAttempt()

  async function bringBack({ publicKey }: PrivateKeys): Promise<void> {
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
        <Button look="main" disabled={busy} onClick={() => void attempt(() => bringBack(keys))}>
          {text('private.back')}
        </Button>
      ) : null}
      <ProblemLine problem={problem} />
    </Notice>
  )
}
