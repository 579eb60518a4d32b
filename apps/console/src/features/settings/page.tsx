import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, query } from '../../api/index.ts'
import { Card, ErrorState, Page, useT } from '../../ui/index.ts'
import { SettingsForm } from './form.tsx'
import { MailPreview } from './mail-preview.tsx'
import { TestMail } from './test-buttons.tsx'
import { readSettings } from './values.ts'

export const SettingsPage = () => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.settings.list))
  return (
    <Page
      title={t('settings.title')}
      intro={t('settings.intro')}
      actions={
        <>
          <Button component={Link} to="/panel/oauth_provider" color="inherit" variant="outlined">
            {t('menu.oauth_provider')}
          </Button>
          <MailPreview />
          <TestMail />
        </>
      }
      width={1000}
    >
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Skeleton height={320} variant="rounded" />
        </Card>
      )}
      {data && <SettingsForm stored={readSettings(data)} />}
    </Page>
  )
}
