import StoreIcon from 'virtual:icons/storefront'
import { RedeemInput } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, startTransition, useState } from 'react'
import { Link } from 'react-router'
import { api, query, useSite, useUser } from '../../api'
import { formatQuota, Quota } from '../../domain'
import { loadTexts } from '../../locales/language.ts'
import { Card, notify, Page, SchemaForm, useAction, useAddress, useT } from '../../ui'
import { InviteCard } from './invite-card.tsx'

/** Sites without payment gateways do not load these. */
const OnlineTopUp = lazy(async () => {
  const [{ OnlineTopUp }] = await Promise.all([import('./pay/online.tsx'), loadTexts('topup')])
  return { default: OnlineTopUp }
})
const OwnOrders = lazy(async () => {
  const [{ OwnOrders }] = await Promise.all([import('./pay/own-orders.tsx'), loadTexts('topup')])
  return { default: OwnOrders }
})
const FollowedOrder = lazy(async () => {
  const [{ FollowedOrder }] = await Promise.all([
    import('./pay/followed-order.tsx'),
    loadTexts('topup'),
  ])
  return { default: FollowedOrder }
})

/**
 * The number of the order that the address names, so that a reload and a return from the payment page follow it. Vendors
 * add their own `trade_no` there, and ours as `out_trade_no`.
 */
const useFollowedOrder = () => {
  const [params, change] = useAddress()
  const named = params.get('out_trade_no') ?? params.get('trade_no')
  // The dialog follows its own order. The page behind it changes when the user closes it, so that nothing moves.
  const [behindDialog, setBehindDialog] = useState<string | null>()
  return {
    tradeNo: behindDialog === undefined ? named : behindDialog,
    onPlaced: (tradeNo: string) => {
      setBehindDialog(named)
      change({ trade_no: tradeNo }, { clear: true, replace: true })
    },
    onClosed: () => startTransition(() => setBehindDialog(undefined)),
  }
}

export const TopUpPage = () => {
  const t = useT()
  const { tradeNo, onPlaced, onClosed } = useFollowedOrder()
  const intro = (
    <>
      {t('profile.topUp.intro')}{' '}
      <MuiLink component={Link} to="/panel/log?log_type=1">
        {t('profile.topUp.records')}
      </MuiLink>
    </>
  )
  const { data: gateways = [], isPending } = useQuery(query(api.orders.gateways))
  return (
    <Page title={t('profile.topUp.title')} intro={intro} width={1080}>
      {isPending ? (
        <Columns />
      ) : (
        // All cards appear together, so that none moves another on a phone.
        <Suspense fallback={<Columns />}>
          <Columns side={<InviteCard />}>
            {tradeNo && <FollowedOrder tradeNo={tradeNo} />}
            {gateways.length > 0 && (
              <OnlineTopUp gateways={gateways} onPlaced={onPlaced} onClosed={onClosed} />
            )}
            <RedeemCode />
          </Columns>
          {(gateways.length > 0 || tradeNo) && (
            <Box sx={{ mt: 2 }}>
              <OwnOrders />
            </Box>
          )}
        </Suspense>
      )}
    </Page>
  )
}

const Columns = ({ side, children }: { side?: ReactNode; children?: ReactNode }) => (
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
      {children}
    </Stack>
    {side}
  </Box>
)

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
