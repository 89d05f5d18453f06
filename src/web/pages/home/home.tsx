import { usePayload } from '../../app/page.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { unreadCount } from '../../hooks/inbox-state.ts'
import { useHydrated } from '../../hooks/use-hydrated.ts'
import { About, AboutText } from './about.tsx'
import { Hero } from './hero.tsx'
import { InboxFrame } from './inbox-frame.tsx'
import { InboxSection } from './inbox.tsx'
import css from './inbox.module.css'

const Generator = lazyComponent(async () => (await import('./generator.tsx')).Generator)

/** The home page: the address, its inbox and the text about the service. */
export function Home() {
  const { data } = usePayload('home')
  const hydrated = useHydrated()
  return (
    <InboxFrame>
      {(inbox) => {
        const { preparing } = inbox
        return (
          <>
            <Hero inbox={inbox} preparing={preparing} />
            {data.tool === 'email-generator' ? (
              <div className={`${css.suggested} needs-script`}>{hydrated ? <Generator inbox={inbox} /> : null}</div>
            ) : null}
            {data.other === null || inbox.address ? (
              <InboxSection inbox={inbox} preparing={preparing} unread={unreadCount(inbox)} />
            ) : null}
            {data.tool === 'home' ? <About /> : null}
            <AboutText text={data.text} named={data.tool === 'home'} />
          </>
        )
      }}
    </InboxFrame>
  )
}
