import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { z } from 'zod'
import { api, query, useUser } from '../../api'
import { proofOverrides } from '../../domain/sign-in/fresh-proof.ts'
import { ProofForm } from '../../domain/sign-in/proof-form.tsx'
import { Card, Copyable, MonoText, SchemaForm, useAction, useT } from '../../ui'

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }))

const Code = z.object({ code: z.string().trim().min(6).max(32) })
type Setup = { secret: string; uri: string }

/** Sets up an authenticator app, shows its backup codes once, and takes it away again. */
export const SecondFactor = () => {
  const t = useT()
  const user = useUser()
  const [codes, setCodes] = useState<readonly string[]>([])
  return (
    <Card title={t('profile.secondFactor.title')} intro={t('profile.secondFactor.intro')}>
      {codes.length > 0 && <BackupCodes codes={codes} close={() => setCodes([])} />}
      {codes.length === 0 &&
        (user.has_second_factor ? (
          <Enabled showCodes={setCodes} />
        ) : (
          <Disabled showCodes={setCodes} />
        ))}
    </Card>
  )
}

type Props = { showCodes: (codes: readonly string[]) => void }

const Disabled = ({ showCodes }: Props) => {
  const t = useT()
  const [setup, setSetup] = useState<Setup>()
  const begin = useAction('profile', api['second-factor'].setUp, { onSuccess: setSetup })
  const enable = useAction('profile', api['second-factor'].enable, {
    successKey: 'profile.secondFactor.enabled',
    onSuccess: ({ backup_codes }) => showCodes(backup_codes),
  })
  if (!setup)
    return (
      <ProofForm
        endpoint={api['second-factor'].setUp}
        submit={begin}
        submitLabel={t('profile.secondFactor.setUp')}
      />
    )
  return (
    <Stack spacing={2}>
      <Typography variant="body2">{t('profile.secondFactor.scan')}</Typography>
      {/* White in both themes, because cameras read dark modules on a light ground only. */}
      <Box sx={{ p: 1.5, bgcolor: '#fff', borderRadius: '8px', width: 'fit-content' }}>
        <Suspense fallback={<Box sx={{ width: 176, height: 176 }} />}>
          <QrCode value={setup.uri} size={176} title={t('profile.secondFactor.qrCode')} />
        </Suspense>
      </Box>
      <Box>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('profile.secondFactor.byHand')}
        </Typography>
        <Copyable text={setup.secret} what={t('profile.secondFactor.secret')} />
      </Box>
      <SchemaForm
        resource="profile"
        schema={Code}
        submit={enable}
        submitLabel={t('profile.secondFactor.enable')}
        fieldOverrides={proofOverrides}
      />
    </Stack>
  )
}

const Enabled = ({ showCodes }: Props) => {
  const t = useT()
  const [action, setAction] = useState<'disable' | 'renew'>()
  const { data } = useQuery(query(api['second-factor'].status))
  const disable = useAction('profile', api['second-factor'].disable, {
    successKey: 'profile.secondFactor.disabled',
  })
  const renew = useAction('profile', api['second-factor'].renewBackupCodes, {
    onSuccess: ({ backup_codes }) => showCodes(backup_codes),
  })
  const left = data?.backup_codes_left
  return (
    <Stack spacing={2}>
      <Alert severity="success" variant="outlined">
        {t('profile.secondFactor.isEnabled')}{' '}
        {left !== undefined && t('profile.secondFactor.codesLeft', { value: left })}
      </Alert>
      {!action && (
        <Stack direction="row" spacing={1} sx={{ flexWrap: 'wrap', rowGap: 1 }}>
          <Button variant="outlined" color="inherit" onClick={() => setAction('renew')}>
            {t('profile.secondFactor.renew')}
          </Button>
          <Button variant="outlined" color="error" onClick={() => setAction('disable')}>
            {t('profile.secondFactor.disable')}
          </Button>
        </Stack>
      )}
      {action && (
        <ProofForm
          key={action}
          endpoint={api['second-factor'][action === 'disable' ? 'disable' : 'renewBackupCodes']}
          submit={action === 'disable' ? disable : renew}
          submitLabel={t(`profile.secondFactor.${action}`)}
        />
      )}
    </Stack>
  )
}

const BackupCodes = ({ codes, close }: { codes: readonly string[]; close: () => void }) => {
  const t = useT()
  const title = t('profile.secondFactor.backupCodes')
  return (
    <Stack spacing={2}>
      <Alert severity="warning" variant="outlined">
        {t('profile.secondFactor.saveCodes')}
      </Alert>
      <Box
        component="ul"
        aria-label={title}
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          display: 'grid',
          gap: 1,
          gridTemplateColumns: 'repeat(auto-fill, minmax(130px, 1fr))',
        }}
      >
        {codes.map(code => (
          <li key={code}>
            <MonoText text={code} />
          </li>
        ))}
      </Box>
      <Copyable text={codes.join('\n')} what={title} />
      <Button variant="contained" onClick={close} sx={{ alignSelf: 'flex-start' }}>
        {t('profile.secondFactor.saved')}
      </Button>
    </Stack>
  )
}
