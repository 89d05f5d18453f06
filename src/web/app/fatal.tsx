import { Component, type ReactNode } from 'react'
import { pathIn } from '#locales/languages.ts'
import { buttonClass } from '../components/button.tsx'
import { Notice } from '../components/notice.tsx'
import { useLanguage, useText } from '../i18n/text.tsx'
import { usePage } from './page.tsx'

interface Props {
  children: ReactNode
  /** What is shown. Another one is tried after an error. */
  of?: object
  /** Shown in place of the failed part; without it the page with status 500 is shown. */
  instead?: ReactNode
}

const UNKNOWN_ROUTE = 'Unknown route middleware'

/** Placeholder for a page that this build does not have. */
export function UnknownRoute(): never {
  throw new Error(UNKNOWN_ROUTE)
}

interface State {
  error?: { value: unknown } | undefined
  /** The error to which `of` belongs. */
  noted?: State['error']
  /** What failed. */
  of?: object | undefined
}

/** An uncaught error replaces the whole page with status 500 and a link home. Crawlers are shown nothing. */
export class Fatal extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(value: unknown): State {
    return { error: { value } }
  }

  /** Shows the notice until the page changes, and then the new page in the same commit, so that effects find its elements. */
  static getDerivedStateFromProps({ of }: Props, { error, noted }: State): State | null {
    return error === noted ? null : { noted: error, of }
  }

  override render(): ReactNode {
    const { error, of } = this.state
    const { children, instead = <FatalNotice error={error?.value} /> } = this.props
    return error && of === this.props.of ? instead : children
  }
}

function FatalNotice({ error }: { error: unknown }) {
  const text = useText()
  const { code } = useLanguage()
  if (usePage().payload.site.crawler) return null
  const unknownRoute = error instanceof Error && error.message === UNKNOWN_ROUTE
  return (
    <main id="main">
      <Notice above="500" title={text('error.server')} words={unknownRoute ? UNKNOWN_ROUTE : text('error.serverText')}>
        {/* A plain link, so that the page is fully reloaded. */}
        <a className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('error.home')}
        </a>
      </Notice>
    </main>
  )
}
