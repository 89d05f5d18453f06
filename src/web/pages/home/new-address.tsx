import { Shuffle } from 'lucide-react'
import { useState } from 'react'
import type { AddressRequestJson } from '#contract/addresses.ts'
import { domainOf } from '#core/mailbox/domain.ts'
import { useBars } from '../../app/bars.ts'
import { usePayload } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { AddressDialog } from '../../components/lazy-dialogs.ts'
import type { Inbox } from '../../hooks/use-inbox.ts'
import { useText } from '../../i18n/text.tsx'
import css from './hero.module.css'

/** Creates an address, and asks first if that deletes messages. Returns the function and the dialog. */
export function useReplacing(inbox: Inbox) {
  const { kept } = usePayload('home').data
  const [wanted, setWanted] = useState<AddressRequestJson | null>(null)
  const { undoable } = useBars()
  const current = inbox.address?.address
  const dialog =
    wanted && current ? (
      <AddressDialog
        address={current}
        action="replace"
        onClose={() => setWanted(null)}
        onConfirm={() => inbox.create(wanted)}
      />
    ) : null
  const replace = (request: AddressRequestJson): void => {
    // A kept address stays on the list.
    const isKept = kept?.some(({ address }) => address === current)
    if (inbox.messages.length + undoable.length > 0 && !isKept) setWanted(request)
    else void inbox.create(request)
  }
  return { replace, dialog }
}

/** The domains of new addresses, and the button for a random one. Without JavaScript the change page has both. */
export function NewAddress({ inbox, address }: { inbox: Inbox; address: string }) {
  const text = useText()
  const { domains } = usePayload('home').data
  const { replace, dialog } = useReplacing(inbox)
  const current = domainOf(address)
  return (
    <>
      <form
        className={`${css.new} needs-script`}
        onSubmit={(event) => {
          event.preventDefault()
          replace(Object.fromEntries(new FormData(event.currentTarget)) as AddressRequestJson)
        }}
      >
        {domains.length > 1 ? (
          <select key={current} name="domain" dir="ltr" aria-label={text('change.domain')} defaultValue={current}>
            {domains.map((domain) => (
              <option key={domain} value={domain}>
                @{domain}
              </option>
            ))}
          </select>
        ) : null}
        <Button type="submit" look="quiet" disabled={inbox.busy} icon={<Shuffle size={16} aria-hidden />}>
          {text('address.random')}
        </Button>
      </form>
      {dialog}
    </>
  )
}
