import { supportRequest, type SupportRequestJson } from '#contract/support.ts'
import type { Routes } from '../../context.ts'
import { knownLanguage } from '../../pages/page-request.ts'
import { BODY_PROBLEMS, limitText, nothing, problems, ref } from '../../schema.ts'
import { sendForm } from './support-form.ts'

/** The forms of the site to its operator. Without JavaScript they go to `/actions`. */
export const supportRoutes: Routes = (app, context) => {
  app.post<{ Body: SupportRequestJson }>(
    '/support',
    {
      bodyLimit: context.options.maxSupportBytes,
      schema: {
        tags: ['Forms of the site'],
        operationId: 'writeToOperator',
        summary: 'Send a message to the operator',
        description: limitText('message', context.options.rates.supportForms),
        body: ref(supportRequest),
        response: {
          204: nothing('The message is in the mailbox of the operator'),
          ...problems(
            'forbidden_origin',
            'name_invalid',
            'reason_invalid',
            'email_invalid',
            'message_invalid',
            'message_too_long',
            'mailbox_full',
            ...BODY_PROBLEMS,
          ),
        },
      },
    },
    async (request, reply) => {
      context.auth.requireOwnOrigin(request)
      const { lang, website, ...form } = request.body
      const language = knownLanguage(lang, context.deps.languages)
      await sendForm(context, request, reply, { ...form, language }, website)
      return reply.status(204).send()
    },
  )
}
