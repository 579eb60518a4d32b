import UploadIcon from 'virtual:icons/upload-file'
import type { ChannelImport, ImportProblem } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ChangeEvent, useRef, useState } from 'react'
import { api } from '../../../api/index.ts'
import { useOptionalT } from '../../../locales/use-t.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { splitNames } from '../../../ui/form/names.ts'
import { Badge, notify, useAction, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { TypeName } from '../type-name.tsx'

type Chosen = { name: string; text: string; plan: ChannelImport }

/** Reads a file of channels, shows what it would create, and creates it on request. */
export const ImportDialog = ({ close }: { close: () => void }) => {
  const t = useT()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen>()
  const check = useAction([], api.channels.import)
  const create = useAction(['channels', 'models', 'prices'], api.channels.import, {
    onSuccess: ({ ids }) => notify.success(t('channels.transfer.imported', { count: ids.length })),
  })
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    // A file that was corrected can then be chosen again.
    event.target.value = ''
    if (!file) return
    const text = await file.text()
    const plan = await check({ file: text, dry_run: true })
    if (plan) setChosen({ name: file.name, text, plan })
  }
  const isReady = chosen !== undefined && chosen.plan.problems.length === 0
  const run = async () => {
    if (chosen && (await create({ file: chosen.text }))) close()
  }
  return (
    <Dialog
      open
      onClose={close}
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby="import-title"
    >
      <DialogTitle id="import-title">{t('channels.transfer.importTitle')}</DialogTitle>
      <DialogContent dividers>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
          {t('channels.transfer.importText')}
        </Typography>
        <Stack direction="row" sx={{ alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
          <Button
            variant="outlined"
            startIcon={<UploadIcon />}
            loading={check.isPending}
            onClick={() => input.current?.click()}
          >
            {t('channels.transfer.choose')}
          </Button>
          <input
            hidden
            ref={input}
            type="file"
            accept="application/json,.json"
            aria-label={t('channels.transfer.choose')}
            onChange={event => void choose(event)}
          />
          <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
            {chosen?.name}
          </Typography>
        </Stack>
        {chosen && <Plan plan={chosen.plan} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button color="inherit" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          disabled={!isReady}
          loading={create.isPending}
          onClick={() => void run()}
        >
          {isReady
            ? t('channels.transfer.create', { count: chosen.plan.channels.length })
            : t('channels.transfer.import')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const Plan = ({ plan: { channels, problems } }: { plan: ChannelImport }) => {
  const t = useT()
  return (
    <Box sx={{ mt: 2.5 }} aria-live="polite">
      {problems.length > 0 ? (
        <>
          <Alert severity="error" variant="outlined" sx={{ mb: 1.5 }}>
            {t('channels.transfer.problems', { count: problems.length })}
          </Alert>
          <List>
            {problems.map((each, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: equal rows have no other key, and none has state or moves.
              <Problem key={at} problem={each} />
            ))}
          </List>
        </>
      ) : (
        <>
          <Typography variant="body2" sx={{ fontWeight: 500, mb: 0.5 }}>
            {t('channels.transfer.planned', { count: channels.length })}
          </Typography>
          <List>
            {channels.map(each => (
              <Planned key={each.line} channel={each} />
            ))}
          </List>
        </>
      )}
    </Box>
  )
}

const List = ({ children }: { children: React.ReactNode }) => (
  <Stack
    component="ul"
    sx={{
      ...{ listStyle: 'none', m: 0, p: 0 },
      '& > li': { py: 1, borderTop: '1px solid', borderColor: 'divider' },
    }}
  >
    {children}
  </Stack>
)

const Problem = ({ problem }: { problem: ImportProblem }) => {
  const t = useT()
  const optionalT = useOptionalT()
  const { line, name, field, reason, detail } = problem
  const fieldName = field && (optionalT(`channels.fields.${field}`) ?? field)
  const place = [t('channels.transfer.line', { line }), name, fieldName].filter(Boolean)
  return (
    <li>
      <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
        {place.join(' · ')}
      </Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {t(`channels.transfer.reasons.${reason}`, { detail })}
      </Typography>
    </li>
  )
}

type PlannedChannel = ChannelImport['channels'][number]

const Planned = ({ channel }: { channel: PlannedChannel }) => {
  const t = useT()
  const providers = useProviders()
  const { name, type, models, group, status, missing } = channel
  const facts = [
    t('channels.modelCount', { count: splitNames(models).length }),
    splitNames(group).join(', '),
  ]
  return (
    <Box component="li">
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <Badge
          tone={status === 1 ? 'green' : 'gray'}
          text={t(`channels.transfer.status.${status}`)}
        />
      </Stack>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        <TypeName type={type} providers={providers} /> · {facts.join(' · ')}
      </Typography>
      {missing.length > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          {t('channels.transfer.missing', {
            names: missing.map(each => t(`channels.fields.${each}`)).join(', '),
          })}
        </Typography>
      )}
    </Box>
  )
}
