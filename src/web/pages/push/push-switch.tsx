import { useCallback } from 'react'
import { pathIn } from '#locales/languages.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import { Switch } from '../../components/switch.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { loadMessages } from '../../i18n/messages.ts'
import { type MessageKey, TextProvider, useLanguage, useText } from '../../i18n/text.tsx'
import { pushState, type PushState, showDetails, switchPushOff, switchPushOn } from '../../push/push.ts'

const WORDS = {
  on: 'push.until',
  off: 'push.until',
  blocked: 'push.blocked',
  unsupported: 'push.unsupported',
  'install-first': 'push.installFirst',
} as const satisfies Record<Exclude<PushState, 'none'>, MessageKey>

/** Notifications while no page is open, for the current address. Loads its texts. */
export function PushSwitch() {
  const { code } = useLanguage()
  const load = useCallback(() => loadMessages(code, 'home', 'apps'), [code])
  const { loaded, problem } = useLoaded(load)
  if (!loaded) return <ProblemLine problem={problem} />
  return (
    <TextProvider code={code} messages={loaded}>
      <Push />
    </TextProvider>
  )
}

function Push() {
  const text = useText()
  const { code, locale, dir } = useLanguage()
  const { loaded: now, setLoaded: setNow, problem, busy, attempt } = useLoaded(pushState)
  if (!now) return <ProblemLine problem={problem} />
  const { push, details } = now
  if (push === 'none') return null
  const texts = {
    home: pathIn(code, '/'),
    locale,
    dir,
    arrived: text('push.arrived'),
    // Only the service worker knows the values.
    plain: text('inbox.new', { sender: '{sender}', subject: '{subject}' }),
    code: text('inbox.newCode', { sender: '{sender}', code: '{code}' }),
  }
  return (
    <>
      <Switch
        label={text('push.switch')}
        words={text(WORDS[push])}
        on={push === 'on'}
        disabled={busy || (push !== 'on' && push !== 'off')}
        onSwitch={() => void attempt(async () => setNow(await (push === 'on' ? switchPushOff() : switchPushOn(texts))))}
      />
      {push === 'on' ? (
        <Switch
          label={text('push.details')}
          on={details}
          onSwitch={() =>
            void attempt(async () => {
              await showDetails(!details)
              setNow({ push, details: !details })
            })
          }
        />
      ) : null}
      <ProblemLine problem={problem} />
    </>
  )
}
