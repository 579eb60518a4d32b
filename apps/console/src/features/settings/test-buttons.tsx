import { TestMail as TestMailInput } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { api, useSite, useUser } from '../../api/index.ts'
import { FormDialog, useAction, useT } from '../../ui/index.ts'

/** Sends a test email with the stored settings; unsaved changes are not used. */
export const TestMail = () => {
  const t = useT()
  const { email } = useUser()
  const { language } = useSite()
  const send = useAction([], api.settings.testMail, { successKey: 'settings.testMail.done' })
  return (
    <FormDialog
      resource="settings"
      title={t('settings.testMail.title')}
      address="test-mail"
      trigger={t('settings.testMail.open')}
      submitLabel={t('settings.testMail.action')}
      button={{ variant: 'outlined', color: 'inherit' }}
      schema={TestMailInput}
      initialValues={{ to: email, template: 'test', language }}
      submit={send}
    />
  )
}

/** Tests the storage with the stored settings; unsaved changes are not used. */
export const TestTaskStorage = () => {
  const t = useT()
  const test = useAction([], api.settings.testTaskStorage, {
    successKey: 'settings.testTaskStorage.done',
  })
  return (
    <Stack direction="row" spacing={1.5} sx={{ alignItems: 'center', flexWrap: 'wrap' }} useFlexGap>
      <Button
        variant="outlined"
        color="inherit"
        loading={test.isPending}
        onClick={() => void test({})}
      >
        {t('settings.testTaskStorage.action')}
      </Button>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t('settings.testTaskStorage.hint')}
      </Typography>
    </Stack>
  )
}
