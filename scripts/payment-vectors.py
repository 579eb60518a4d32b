"""Prints the digests that vectors.test.ts compares: 1,000 orders signed by the SDKs of Epay and BEpusdt.

Run it with epay-sdk 0.4.1 and bepusdt 0.3.15 installed: python3 scripts/payment-vectors.py
"""

from hashlib import sha256

from bepusdt.signature import generate_signature
from epay_sdk.client import EPayClient
from epay_sdk.config import EPayConfig

ORDERS = 1000
KEY = "89unJUB8HZ54Hj7x4nUj56HN4nUzUJ8i"


def order(n):
    digest = sha256(f"order {n}".encode()).hexdigest()
    return digest[:24], int(digest[-8:], 16) % 99_999_999 + 1


def epay(n):
    number, cents = order(n)
    return {
        "pid": "1001",
        "type": ["alipay", "wxpay", ""][n % 3],
        "out_trade_no": f"ep{number}",
        "notify_url": f"https://hub.example/api/payment/notify/{number[:8]}",
        "return_url": f"https://hub.example/panel/topup?trade_no=ep{number}",
        "name": f"充值 100% a+b&c={n} 積分",
        "money": f"{cents // 100}.{cents % 100:02}",
        "device": "pc",
        "param": "",
        "sign_type": "MD5",
    }


def bepusdt(n):
    number, cents = order(n)
    return {
        "order_id": f"bu{number}",
        "amount": cents // 100 if cents % 100 == 0 else cents / 100,
        "notify_url": f"https://hub.example/api/payment/notify/{number[:8]}",
        "redirect_url": f"https://hub.example/panel/topup?trade_no=bu{number}",
        "name": f"充值 100% a+b&c={n} 積分",
        "trade_type": ["usdt.trc20", "tron.trx", ""][n % 3],
    }


def digest(signatures):
    return sha256("".join(signatures).encode()).hexdigest()


client = EPayClient(EPayConfig(base_url="https://pay.example", pid="1001", key=KEY))
print("Epay", digest(client.sign(epay(n)) for n in range(ORDERS)))
print("BEpusdt", digest(generate_signature(bepusdt(n), KEY) for n in range(ORDERS)))
