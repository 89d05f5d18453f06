import type { PageProblem } from '../../api/api.ts'
import { ProblemLine } from '../../components/problem-line.tsx'
import type { MessageKey } from '../../i18n/text.tsx'

const WORDS: Partial<Record<PageProblem['code'], MessageKey>> = {
  domain_invalid: 'account.domains.invalid',
  domain_of_account: 'account.domains.ofAccount',
  domains_full: 'account.domains.full',
  domain_owned: 'account.domains.owned',
  dns_unavailable: 'account.domains.unanswered',
  premium_required: 'account.state.ended',
}

export const DomainProblem = ({ problem }: { problem: PageProblem | null }) => (
  <ProblemLine problem={problem} words={WORDS} />
)
