import { Check, ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { KeptAddressJson } from '#contract/kept-addresses.ts'
import { pathIn } from '#locales/languages.ts'
import { accountApi } from '../../api/account-api.ts'
import { usePage, usePayload } from '../../app/page.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { EmailAddress } from '../../components/email-address.tsx'
import { ConfirmDialog } from '../../components/lazy-dialogs.ts'
import { Link } from '../../components/link.tsx'
import { ProblemLine } from '../../components/problem-line.tsx'
import { isPressed } from '../../hooks/is-pressed.ts'
import { useAttempt } from '../../hooks/use-attempt.ts'
import { useKept } from '../../hooks/use-kept.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { keepPush } from '../../push/if-used.ts'
import { forwardingOf } from './forwarding.ts'
import css from './switcher.module.css'

interface Props {
  kept: readonly KeptAddressJson[]
  /** The current address; null for none. */
  current: string | null
}

/** All kept addresses of a subscriber with their unread counts. A click opens one. */
export function Switcher({ kept: first, current }: Props) {
  const text = useText()
  const { code } = useLanguage()
  const { refresh } = usePage()
  const forwarding = forwardingOf(usePayload('home').data, current)
  const kept = useKept(first)
  const { busy, problem, attempt } = useAttempt()
  const list = useRef<HTMLDetailsElement>(null)
  useCloseOutside(list)
  const unread = kept.reduce((sum, each) => sum + (each.address === current ? 0 : each.unread), 0)
  const [adopted, setAdopted] = useState(false)
  const isKept = current === null || kept.some(({ address }) => address === current)
  const [asking, setAsking] = useState(false)
  const forwards = forwarding === 'on' || forwarding === 'waiting'
  const act = (work: () => Promise<unknown>): Promise<boolean> =>
    attempt(async () => {
      await work()
      if (list.current) list.current.open = false
      await refresh()
    })
  const adopt = (): Promise<boolean> =>
    act(async () => {
      await keepPush(() => accountApi.keep({ adopt: true }))
      setAdopted(true)
    })
  return (
    <div className={`${css.switcher} needs-script`}>
      <details ref={list} className={css.list}>
        <summary className={buttonClass('plain')}>
          {text('kept.title')}
          {unread > 0 ? <span className={css.unread}>{text('inbox.unread', { count: unread })}</span> : null}
          <ChevronDown size={18} aria-hidden />
        </summary>
        <ul className={css.panel}>
          {kept.map((each) => (
            <li key={each.id}>
              <Choice
                kept={each}
                current={each.address === current}
                busy={busy}
                onOpen={() => void act(() => accountApi.open(each.id))}
              />
            </li>
          ))}
          <li className={css.add}>
            <Link className={buttonClass('quiet')} href={pathIn(code, '/change')}>
              {text('kept.add')}
            </Link>
          </li>
        </ul>
      </details>
      {isKept ? null : (
        <Button
          disabled={busy}
          title={text('kept.keepText')}
          onClick={() => (forwards ? setAsking(true) : void adopt())}
        >
          {text('kept.keep')}
        </Button>
      )}
      {adopted ? (
        <p className={css.told} role="status">
          {text('recovery.replaced')}
        </p>
      ) : null}
      {asking ? (
        <ConfirmDialog
          title={text('kept.keep')}
          words={text('recovery.replaceText')}
          confirm={text('kept.keep')}
          onClose={() => setAsking(false)}
          onConfirm={adopt}
        />
      ) : null}
      <ProblemLine problem={problem} />
    </div>
  )
}

function Choice({
  kept: { id, address, label, unread, alive, private: locked },
  current,
  busy,
  onOpen,
}: {
  kept: KeptAddressJson
  current: boolean
  busy: boolean
  onOpen: () => void
}) {
  const text = useText()
  const { code } = useLanguage()
  const inside = (
    <>
      <span className={css.name}>
        {label === null ? null : (
          <strong>
            <bdi>{label}</bdi>
          </strong>
        )}
        <EmailAddress>{address}</EmailAddress>
        {unread > 0 ? <span className={css.unread}>{text('inbox.unread', { count: unread })}</span> : null}
      </span>
      {current ? <Check size={18} className={css.current} aria-hidden /> : null}
    </>
  )
  if (locked) {
    return (
      <Link className={css.choice} href={pathIn(code, `/private?address=${id}`)}>
        {inside}
      </Link>
    )
  }
  return (
    <button type="button" className={css.choice} aria-current={current} disabled={busy || !alive} onClick={onOpen}>
      {inside}
    </button>
  )
}

/** Closes the menu on Escape or a click outside. */
function useCloseOutside(ref: React.RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = (event: Event): void => {
      const list = ref.current
      if (!list?.open || (event.type === 'pointerdown' && list.contains(event.target as Node))) return
      if (event instanceof KeyboardEvent) {
        if (!isPressed('Escape', event)) return
        list.querySelector('summary')?.focus()
      }
      list.open = false
    }
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('keydown', close)
    }
  }, [ref])
}
