import { AtSign, ChevronRight, Gem, Globe } from 'lucide-react'
import type { ReactNode } from 'react'
import { pathIn } from '#locales/languages.ts'
import { Link } from '../../components/link.tsx'
import { leftToRight } from '../../i18n/isolate.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import { Section } from './section.tsx'
import css from './tabs.module.css'

/** What a new subscriber can do first. Shown until there is an address. */
export function FirstSteps({ premiumDomain, ownDomains }: { premiumDomain: string | null; ownDomains: boolean }) {
  const text = useText()
  return (
    <Section title={text('account.first')}>
      <ol className={css.steps}>
        <Step path="/change" icon={<AtSign size={20} aria-hidden />} words={text('account.first.address')} />
        {premiumDomain === null ? null : (
          <Step
            path="/change"
            icon={<Gem size={20} aria-hidden />}
            // The isolate keeps the name of the domain together in a text that runs from right to left.
            words={text('account.first.premium', { domain: leftToRight(premiumDomain) })}
          />
        )}
        {ownDomains ? (
          <Step path="/account/domains" icon={<Globe size={20} aria-hidden />} words={text('account.first.domain')} />
        ) : null}
      </ol>
    </Section>
  )
}

function Step({ path, icon, words }: { path: string; icon: ReactNode; words: string }) {
  const { code } = useLanguage()
  return (
    <li className={path === '/account/domains' ? 'needs-script' : ''}>
      <Link className={css.step ?? ''} href={pathIn(code, path)}>
        {icon}
        <span>{words}</span>
        <ChevronRight size={20} aria-hidden />
      </Link>
    </li>
  )
}
