import { ApiKeys } from './api-keys.tsx'
import { Webhooks } from './webhooks.tsx'

/** What programs of a subscriber need: keys for the API, and webhooks that tell them of mails. */
export function Developer({ active }: { active: boolean }) {
  return (
    <>
      <ApiKeys active={active} />
      <Webhooks active={active} />
    </>
  )
}
