import { Component, type ReactNode } from 'react'
import { pathIn } from '#locales/languages.ts'
import { buttonClass } from './components/button.tsx'
import { Notice } from './components/notice.tsx'
import { useLanguage, useText } from './i18n/text.tsx'

interface Props {
  children: ReactNode
  /** What is shown where it failed; without it the page of status 500. */
  instead?: ReactNode
}

/** SPEC 8: an error that nobody caught takes the whole page, with status 500 and the way out. */
export class Fatal extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    const { children, instead = <FatalNotice /> } = this.props
    return this.state.failed ? instead : children
  }
}

function FatalNotice() {
  const text = useText()
  const { code } = useLanguage()
  return (
    <main id="main">
      <Notice above="500" title={text('error.server')} words={text('error.serverText')}>
        {/* A plain link: the page is loaded anew. */}
        <a className={buttonClass('main')} href={pathIn(code, '/')}>
          {text('error.home')}
        </a>
      </Notice>
    </main>
  )
}
