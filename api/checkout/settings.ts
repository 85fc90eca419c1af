import type { ErrorDetail } from '../../core/base/errors.ts'
import { checkLogo, LOGO_TYPES, MAX_LOGO_BYTES, MAX_LOGO_SIDE } from '../../core/checkout/logo.ts'
import {
  changeSettings,
  MAX_NAME_LENGTH,
  MAX_ORIGINS,
  PAGE_LANGUAGES,
  presentSettings,
} from '../../core/checkout/settings.ts'
import { readSettings, saveLogo, updateSettings } from '../../store/checkout/settings.ts'
import { guardDatabase } from '../http/backends.ts'
import { sendObject } from '../http/exchange.ts'
import { route } from '../http/route.ts'
import { BODY_ERRORS, type Body, bodyOf, invalidBody, readBodyBytes } from '../request/body.ts'
import { one } from '../request/responses.ts'
import {
  integer,
  optional,
  pastedField,
  text,
  textsField,
  toleranceField,
  withMessage,
} from '../request/schema.ts'
import { settingsSchema } from './schema.ts'

/** /v1/settings/checkout: a merchant's settings for its checkout pages. */

const EMPTY = 'An empty string removes it.'

export const getSettingsRoute = route({
  operation: 'GET /v1/settings/checkout',
  access: 'merchant',
  summary: 'Read the checkout settings',
  description: 'The branding of checkout pages, and the origins that may create sessions.',
  operationId: 'getCheckoutSettings',
  successes: { 200: one('The settings.', settingsSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const settings = await guardDatabase(deps, (sql) => readSettings(sql, merchantId))
    return sendObject(exchange, 200, presentSettings(settings))
  },
})

export const changeSettingsRoute = route({
  operation: 'PATCH /v1/settings/checkout',
  access: 'merchant',
  body: bodyOf('The fields to change.', {
    name: optional(text(`At most ${MAX_NAME_LENGTH} characters. ${EMPTY}`, 'Tea & Sons')),
    accent: optional(
      text(`A colour with a contrast of at least 3:1 on white. ${EMPTY}`, '#0b6e4f'),
    ),
    supportEmail: optional(pastedField(`Contact for payers. ${EMPTY}`, 'help@shop.example')),
    supportUrl: optional(text(`Contact for payers. ${EMPTY}`, 'https://shop.example/help')),
    returnUrl: optional(
      text(
        `The URL that payers return to, on one of the allowed origins. ${EMPTY}`,
        'https://shop.example/thanks',
      ),
    ),
    allowedOrigins: optional(
      textsField(
        'All origins that may create and frame sessions: scheme, host and port.',
        text('An origin.', 'https://shop.example'),
        MAX_ORIGINS,
      ),
    ),
    defaultExpiry: optional(
      withMessage(
        'must be a whole number of seconds',
        integer('The default payment window of prices, in seconds.', 3600),
      ),
    ),
    languages: optional(
      textsField(
        'The languages of the pages; empty for all.',
        text('A language.', 'en', { enum: [...PAGE_LANGUAGES] }),
        PAGE_LANGUAGES.length,
      ),
    ),
    underpaymentTolerance: optional(toleranceField()),
  }),
  summary: 'Change the checkout settings',
  description: 'Changes the given fields.',
  operationId: 'changeCheckoutSettings',
  successes: { 200: one('The changed settings.', settingsSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    let details: readonly ErrorDetail[] = []
    const changed = await guardDatabase(deps, (sql) =>
      updateSettings(sql, merchantId, deps.now(), (before) => {
        const decision = changeSettings(before, body, deps.config.environment)
        if (decision.ok) return decision.settings
        details = decision.details
        return null
      }),
    )
    if (changed === null) throw invalidBody(details)
    return sendObject(exchange, 200, presentSettings(changed))
  },
})

const PICTURE: Body<Uint8Array> = {
  document: {
    required: true,
    content: Object.fromEntries(
      LOGO_TYPES.map((type) => [
        type,
        { schema: text('The bytes of the image.', '@logo.png', { format: 'binary' }) },
      ]),
    ),
  },
  errors: BODY_ERRORS,
  read: (request) => readBodyBytes(request, MAX_LOGO_BYTES),
}

export const saveLogoRoute = route({
  operation: 'POST /v1/settings/checkout/logo',
  access: 'merchant',
  body: PICTURE,
  summary: 'Replace the logo',
  description:
    `The body is the image: PNG, JPEG or WebP, at most ${MAX_LOGO_SIDE} pixels per side and ` +
    `${MAX_LOGO_BYTES} bytes. Its metadata is removed.`,
  operationId: 'replaceLogo',
  successes: { 200: one('The changed settings.', settingsSchema) },
  handle: async (deps, { exchange, caller: { merchantId }, body }) => {
    const verdict = checkLogo(body)
    if (!verdict.ok) throw invalidBody([{ path: '', message: verdict.message }])
    const settings = await guardDatabase(deps, (sql) =>
      saveLogo(sql, merchantId, verdict, deps.now()),
    )
    return sendObject(exchange, 200, presentSettings(settings))
  },
})

export const removeLogoRoute = route({
  operation: 'DELETE /v1/settings/checkout/logo',
  access: 'merchant',
  summary: 'Remove the logo',
  description: 'Pages then show only the name.',
  operationId: 'removeLogo',
  successes: { 200: one('The changed settings.', settingsSchema) },
  handle: async (deps, { exchange, caller: { merchantId } }) => {
    const settings = await guardDatabase(deps, (sql) => saveLogo(sql, merchantId, null, deps.now()))
    return sendObject(exchange, 200, presentSettings(settings))
  },
})
