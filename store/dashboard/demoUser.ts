import type { MerchantId } from '../../core/base/ids.ts'
import type { Database, Queryable } from '../database/database.ts'

/** A user without address confirmation: for development stacks, by the database's owner alone. */

export interface VerifiedOwner {
  readonly email: string
  readonly name: string
  readonly passwordHash: string | null
  readonly merchantId: MerchantId
}

/** The hash of a user's password, null where it was removed; undefined when no user has the address. */
export async function passwordHashOf(
  sql: Queryable,
  email: string,
): Promise<{ readonly hash: string | null } | null> {
  const [row] = await sql<{ hash: string | null }[]>`
    select a.password as hash from auth.account a join auth."user" u on u.id = a."userId"
    where u.email = ${email} and a."providerId" = 'credential'`
  return row ?? null
}

/** Creates the user where there is none, and makes them an owner of the merchant in any case. */
export async function addVerifiedOwner(database: Database, owner: VerifiedOwner): Promise<void> {
  const { email, name, passwordHash, merchantId } = owner
  await database.begin(async (sql) => {
    await sql`
      with added as (
        insert into auth."user" (name, email, "emailVerified") values (${name}, ${email}, true)
        on conflict (email) do nothing returning id
      )
      insert into auth.account ("accountId", "providerId", "userId", password, "updatedAt")
      select id::text, 'credential', id, ${passwordHash}, now() from added`
    await sql`
      insert into member (merchant_id, person_id, role)
      select ${merchantId}, id, 'owner' from auth."user" where email = ${email}
      on conflict do nothing`
  })
}
