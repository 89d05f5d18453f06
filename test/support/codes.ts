/** Returns the code of the error with which a promise rejects; `fine` if it does not. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'fine',
    (error: { code?: string }) => error.code ?? String(error),
  )

/** Returns the status of a response and the code of its error; an empty code without an error. */
export async function answerOf(response: Response | Promise<Response>): Promise<[number, string]> {
  const answer = await response
  return [answer.status, answer.status < 400 ? '' : ((await answer.json()) as { code: string }).code]
}
