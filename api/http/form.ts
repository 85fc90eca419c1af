import type { Static, TSchema } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import type { ErrorDetail } from '../../core/errors.ts'
import { invalidBody } from './body.ts'

/** Checks the form of a body, and says for every field what it has to be. */

/** What each field has to be, for whoever sent something else; '' is the body as a whole. */
export type Forms = Readonly<Record<string, string>>

/** A function that takes what the schema allows, and throws `invalid_request_body` for the rest. */
export function formParser<T extends TSchema>(
  schema: T,
  forms: Forms,
): (body: unknown) => Static<T> {
  const check = TypeCompiler.Compile(schema)
  return (body) => {
    if (check.Check(body)) return body
    const details = new Map<string, ErrorDetail>()
    for (const error of check.Errors(body)) {
      const detail = explain(error, forms)
      if (!details.has(detail.path)) details.set(detail.path, detail)
    }
    throw invalidBody([...details.values()])
  }
}

function explain(error: ValueError, forms: Forms): ErrorDetail {
  const path = error.path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { path, message: 'is required' }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, message: 'is not a known field' }
  }
  const [field = '', ...rest] = path.split('/')
  if (rest.length > 0) return { path: path.replaceAll('/', '.'), message: 'must be a string' }
  return { path, message: forms[field] ?? 'is not valid' }
}
