import { RedeemInput } from '@hub/contract'
import StoreIcon from '@mui/icons-material/StorefrontOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Link } from 'react-router'
import { api, useSite, useUser } from '../../api'
import { formatQuota, Quota } from '../../domain'
import { Card, notify, Page, SchemaForm, useAction, useT } from '../../ui'
import { InviteCard } from './invite-card.tsx'

export const TopUpPage = () => {
  const t = useT()
  const intro = (
    <>
      {t('profile.topUp.intro')}{' '}
      <MuiLink component={Link} to="/panel/log?log_type=1">
        {t('profile.topUp.records')}
      </MuiLink>
    </>
  )
  return (
    <Page title={t('profile.topUp.title')} intro={intro} width={1080}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Stack spacing={2}>
          <Balance />
          <RedeemCode />
        </Stack>
        <InviteCard />
      </Box>
    </Page>
  )
}

const Balance = () => {
  const t = useT()
  const user = useUser()
  return (
    <Card>
      <Typography variant="body2" component="h2" sx={{ color: 'text.secondary' }}>
        {t('account.balance')}
      </Typography>
      <Typography sx={{ fontSize: 32, fontWeight: 600, lineHeight: 1.25, mt: 0.5 }} component="p">
        <Quota value={user.quota} />
      </Typography>
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {t('account.used')} <Quota value={user.used_quota} />
      </Typography>
    </Card>
  )
}

/** Redeems a code, and links to the page that sells codes. */
const RedeemCode = () => {
  const t = useT()
  const site = useSite()
  const [redeemed, setRedeemed] = useState(0)
  const redeem = useAction(['profile', 'logs'], api.profile.redeem, {
    onSuccess: points => {
      notify.success(t('profile.topUp.done', { amount: formatQuota(points, site) }))
      setRedeemed(count => count + 1)
    },
  })
  return (
    <Card title={t('profile.topUp.code')}>
      {/* A new key resets the form after each redeemed code. */}
      <SchemaForm
        key={redeemed}
        resource="profile"
        schema={RedeemInput}
        submit={redeem}
        submitLabel={t('profile.topUp.action')}
        fieldOverrides={{ key: { placeholder: t('profile.topUp.placeholder') } }}
      />
      <Stack
        direction="row"
        spacing={1}
        sx={{
          mt: 3,
          pt: 2,
          borderTop: '1px solid',
          borderColor: 'divider',
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          rowGap: 1,
        }}
      >
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('profile.topUp.noCode')}
        </Typography>
        <ShopButton link={site.top_up_link} />
      </Stack>
    </Card>
  )
}

const ShopButton = ({ link }: { link: string }) => {
  const t = useT()
  const buttonProps = { variant: 'outlined', color: 'inherit', startIcon: <StoreIcon /> } as const
  if (!link)
    return (
      <Button {...buttonProps} onClick={() => notify.error(t('profile.topUp.noLink'))}>
        {t('profile.topUp.buy')}
      </Button>
    )
  return (
    <Button {...buttonProps} href={link} target="_blank" rel="noreferrer noopener">
      {t('profile.topUp.buy')}
    </Button>
  )
}
