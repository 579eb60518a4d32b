import { NewOAuthProvider, OAuthProviderPatch } from '@hub/contract'
import { api } from '../../api/index.ts'
import { SiteAddressNeeded } from '../../domain/site/address-needed.tsx'
import { Control, crudPage, type FieldOverride, useT } from '../../ui/index.ts'
import { columns, detailColumns } from './columns.tsx'
import { IssuerField } from './issuer-field.tsx'
import { SlugField } from './slug-field.tsx'

type FormValues = Record<string, unknown>
const isOidc = ({ kind }: FormValues) => kind === 'oidc'
const isOAuth2 = ({ kind }: FormValues) => kind === 'oauth2'
const address: FieldOverride = { as: 'text', showWhen: isOAuth2 }

const useFormOptions = () => {
  const t = useT()
  const fieldOverrides: Record<string, FieldOverride> = {
    slug: { control: SlugField },
    client_secret: {
      render: ({ error, value, set, id, describedBy, values }) => (
        <Control
          {...{ id, describedBy, value, set }}
          kind="password"
          invalid={Boolean(error)}
          options={[]}
          autoComplete="off"
          placeholder={values.has_client_secret ? t('oauth-providers.keepSecret') : undefined}
        />
      ),
    },
    issuer: { as: 'text', control: IssuerField, showWhen: isOidc },
    authorization_endpoint: address,
    token_endpoint: address,
    userinfo_endpoint: address,
    scopes: { as: 'text' },
    enabled: { note: () => <SiteAddressNeeded /> },
  }
  const sections = [
    {
      id: 'app',
      fields: [
        ...['name', 'slug', 'kind', 'issuer', 'authorization_endpoint', 'token_endpoint'],
        ...['userinfo_endpoint', 'client_id', 'client_secret', 'scopes', 'enabled'],
      ],
    },
    {
      id: 'claims',
      fields: [
        ...['subject_field', 'username_field', 'name_field', 'email_field'],
        'email_verified_field',
      ],
      folded: true,
      summary: ({ subject_field }: FormValues) => String(subject_field ?? ''),
    },
  ]
  return { fieldOverrides, sections }
}

export const OAuthProvidersPage = crudPage(api['oauth-providers'], {
  columns,
  details: detailColumns,
  card: ['kind', 'enabled'],
  order: 'name',
  // The sign-in page offers the providers that the status names.
  alsoChanges: ['status'],
  form: { create: NewOAuthProvider, edit: OAuthProviderPatch, useOptions: useFormOptions },
})
