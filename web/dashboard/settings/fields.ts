/** The settings of the checkout as the API shows them; null is what was never set. */
export interface SettingsJson {
  readonly name: string | null
  readonly accent: string | null
  readonly supportEmail: string | null
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  readonly allowedOrigins: readonly string[]
}

const TEXTS = ['name', 'accent', 'supportEmail', 'supportUrl', 'returnUrl'] as const

/** What the form says, for PATCH /v1/settings/checkout: an empty text takes away what was set. */
export function changeOf(fields: FormData): Record<string, unknown> {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  return {
    ...Object.fromEntries(TEXTS.map((name) => [name, text(name)])),
    allowedOrigins: text('allowedOrigins')
      .split(/[\s,]+/)
      .filter(Boolean),
  }
}
