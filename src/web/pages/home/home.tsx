import { usePayload } from '../../app/page.tsx'
import { unreadCount } from '../../hooks/inbox-state.ts'
import { About, AboutText } from './about.tsx'
import { Hero } from './hero.tsx'
import { InboxFrame } from './inbox-frame.tsx'
import { InboxSection } from './inbox.tsx'

/** The home page: the address, its inbox and the text about the service. */
export function Home() {
  const { data } = usePayload('home')
  return (
    <InboxFrame>
      {(inbox, alerts) => {
        const { preparing } = inbox
        return (
          <>
            <Hero inbox={inbox} preparing={preparing} />
            {data.other === null || inbox.address ? (
              <InboxSection inbox={inbox} preparing={preparing} alerts={alerts} unread={unreadCount(inbox)} />
            ) : null}
            {data.tool === 'home' ? <About /> : null}
            <AboutText text={data.text} named={data.tool === 'home'} />
          </>
        )
      }}
    </InboxFrame>
  )
}
