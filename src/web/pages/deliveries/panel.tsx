import { useCallback, useEffect, useState } from 'react'
import type { DeliveryListJson } from '#contract/deliveries.ts'
import type { PageProblem } from '../../api/api.ts'
import { keepTrying } from '../../api/retries.ts'
import { usePage } from '../../app/page.tsx'
import { Button } from '../../components/button.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { loadMessages } from '../../i18n/messages.ts'
import { TextProvider, useLanguage, useText } from '../../i18n/text.tsx'
import type { DeliveriesProps } from './deliveries-props.ts'
import { Advice, DeliveryList } from './delivery-list.tsx'
import css from './deliveries.module.css'

/** How many deliveries are shown at first. */
const FIRST = 5
/** The pause before the list is read again, in milliseconds, so that many changes at once cost one request. */
const PAUSE = 400

/** What the receiver saw for the address, live, and what its owner can do now. Loads its texts. */
export function DeliveriesPanel(props: DeliveriesProps) {
  const { code } = useLanguage()
  const { limits } = usePage().payload.site
  const load = useCallback(() => loadMessages(code, 'home', 'deliveries'), [code])
  const { loaded, problem } = useLoaded(load)
  if (!loaded) return <Loading problem={problem} />
  return (
    <TextProvider code={code} messages={loaded} limits={limits}>
      <Panel {...props} />
    </TextProvider>
  )
}

/** What is missing: the problem, or that it is being loaded. */
function Loading({ problem }: { problem: PageProblem | null }) {
  const text = useText()
  return problem ? <ProblemLine problem={problem} /> : <p role="status">{text('message.loading')}</p>
}

function Panel({ inbox: { deliveries: read, messages, failures }, address }: DeliveriesProps) {
  const text = useText()
  const { problem, attempt } = useAttempt()
  const [all, setAll] = useState(false)
  const [list, setList] = useState<DeliveryListJson | null>(null)
  const isFirst = list === null
  useEffect(() => {
    if (!read) return undefined
    let stop: (() => void) | undefined
    const start = (): void => {
      stop = keepTrying(attempt, async () => setList(await read()))
    }
    const timer = setTimeout(start, isFirst ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the list is read again whenever these change
  }, [read, messages, failures, attempt])
  return (
    <div className={css.panel} data-deliveries>
      <div className={css.seen}>
        {list && !problem ? null : <Loading problem={problem} />}
        {list ? (
          <DeliveryList
            list={list}
            first={all ? undefined : FIRST}
            more={
              <Button look="quiet" onClick={() => setAll(true)}>
                {text('inbox.more')}
              </Button>
            }
          />
        ) : null}
      </div>
      <Advice address={address} />
    </div>
  )
}
