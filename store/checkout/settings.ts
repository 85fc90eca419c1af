import type { MerchantId } from '../../core/base/ids.ts'
import type { Logo } from '../../core/checkout/logo.ts'
import { type CheckoutSettings, NO_SETTINGS } from '../../core/checkout/settings.ts'
import type { Database, Queryable, Transaction } from '../database/database.ts'

/** What merchants decide about their checkout pages. */

/** The merchant's settings; those of one who has decided nothing are empty. */
export async function readSettings(
  sql: Queryable,
  merchantId: MerchantId,
): Promise<CheckoutSettings> {
  const [row] = await sql<CheckoutSettings[]>`
    select name, logo_id, accent, support_email, support_url, return_url, allowed_origins,
      default_expiry, languages, underpayment_tolerance, updated_at
    from merchant_page where merchant_id = ${merchantId}`
  return row ?? NO_SETTINGS
}

/** Changes settings by `decide`, which sees what is there; null from it changes nothing. */
export async function updateSettings(
  database: Database,
  merchantId: MerchantId,
  now: Date,
  decide: (before: CheckoutSettings) => CheckoutSettings | null,
): Promise<CheckoutSettings | null> {
  return database.begin(async (sql): Promise<CheckoutSettings | null> => {
    await lockPage(sql, merchantId, now)
    const after = decide(await readSettings(sql, merchantId))
    if (after === null) return null
    await sql`
      update merchant_page set name = ${after.name}, accent = ${after.accent},
        support_email = ${after.supportEmail}, support_url = ${after.supportUrl},
        return_url = ${after.returnUrl}, allowed_origins = ${[...after.allowedOrigins]}::text[],
        default_expiry = ${after.defaultExpiry}, languages = ${[...after.languages]}::text[],
        underpayment_tolerance = ${after.underpaymentTolerance}, updated_at = ${now}, version = version + 1
      where merchant_id = ${merchantId}`
    return { ...after, updatedAt: now }
  })
}

const LOGO_ID_BYTES = 16

/** Replaces the logo, or takes it away. Returns the settings with it. */
export async function saveLogo(
  database: Database,
  merchantId: MerchantId,
  logo: Logo | null,
  now: Date,
): Promise<CheckoutSettings> {
  const random = crypto.getRandomValues(new Uint8Array(LOGO_ID_BYTES))
  const logoId = logo && random.toBase64({ alphabet: 'base64url', omitPadding: true })
  return database.begin(async (sql) => {
    await lockPage(sql, merchantId, now)
    await sql`
      update merchant_page set logo = ${logo?.bytes ?? null}, logo_type = ${logo?.type ?? null},
        logo_id = ${logoId}, updated_at = ${now}, version = version + 1
      where merchant_id = ${merchantId}`
    return readSettings(sql, merchantId)
  })
}

/** A logo by the name that its URL has; null when there is none, or another one by now. */
export async function findLogo(sql: Queryable, logoId: string): Promise<Logo | null> {
  const [row] = await sql<Logo[]>`
    select logo_type as type, logo as bytes from merchant_page where logo_id = ${logoId}`
  return row ?? null
}

async function lockPage(sql: Transaction, merchantId: MerchantId, now: Date): Promise<void> {
  await sql`
    insert into merchant_page (merchant_id, updated_at) values (${merchantId}, ${now})
    on conflict (merchant_id) do nothing`
  await sql`select from merchant_page where merchant_id = ${merchantId} for update`
}
