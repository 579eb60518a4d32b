import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

/** Providers of sign-ins that an operator adds, and one account per user and provider. */
export const oauth = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    const statements = schema.createTable({
      name: 'oauth_providers',
      columns: {
        id: 'id',
        slug: 'text',
        name: 'text',
        kind: 'text',
        enabled: 'integer',
        client_id: 'text',
        client_secret_sealed: 'text',
        issuer: 'text',
        authorization_endpoint: 'text',
        token_endpoint: 'text',
        userinfo_endpoint: 'text',
        scopes: 'text',
        subject_field: 'text',
        username_field: 'text',
        name_field: 'text',
        email_field: 'text',
        email_verified_field: 'text',
        created_time: 'integer',
      },
      unique: [['slug']],
      checks: ["kind in ('oidc', 'oauth2')", 'enabled in (0, 1)'],
    })
    for (const statement of statements) await statement.execute(db)
    await schema.addColumn('identities', 'label', 'text?').execute(db)
    await sql`create unique index "identities_one" on "identities" ("user_id", "sign_in")`.execute(
      db,
    )
  },
})
