<?php declare(strict_types=1);

namespace Shop;

/**
 * Sells and renews micro-health cover, once for each order, whatever is lost on the way. This is the code under test: in a
 * project of yours it is your own, and knows nothing of the sandbox.
 */
final class Shop
{
    /** How far the clocks of shop and service may differ. */
    private const SKEW = 'PT1M';

    /** @var list<Order> the table of orders */
    private array $orders = [];

    /** @param \Closure(): \DateTimeImmutable $now */
    public function __construct(private readonly Client $client, private readonly \Closure $now)
    {
    }

    /** Takes an order. */
    public function order(array $purchase): Order
    {
        return $this->orders[] = new Order($purchase);
    }

    public function sell(array $purchase): string
    {
        return $this->complete($this->order($purchase));
    }

    /** Completes an order. Throws `Lost` if nobody knows how it ended: complete it again later. */
    public function complete(Order $order): string
    {
        if ($order->policyNo !== null) {
            return $order->policyNo;
        }
        if ($order->token === null) {
            $order->since = ($this->now)();
            $order->token = $this->client->initiate($order->purchase);
        }
        try {
            $policyNo = $this->client->verify($order->token);
            if ($this->claim($order, $policyNo)) {
                return $policyNo;
            }
        } catch (Refused $refusal) {
            if ($refusal->getMessage() === 'Token has expired') {
                // Nothing was bought, and nothing will be with this token.
                $order->token = null;
                return $this->complete($order);
            }
            if ($refusal->getMessage() !== 'Token has already been used') {
                throw $refusal;
            }
        }
        // The policy exists, and its response was lost. Or an equal order, whose response was lost, took it: then that
        // order's policy is left.
        return $this->find($order);
    }

    /** Pays one more period. Only the number of periods tells whether a renewal without a response was paid. */
    public function renew(string $policyNo, array $purchase): void
    {
        $before = $this->client->periods($policyNo);
        $renewal = ['policy_no' => $policyNo]
            + array_intersect_key($purchase, ['subscription_type' => true, 'amount' => true]);
        try {
            $this->client->topUp($renewal);
        } catch (Lost $lost) {
            if ($lost->isLate) {
                usleep((int) ($this->client->timeout * 1_000_000));
            }
            if ($this->client->periods($policyNo) > $before) {
                return;
            }
            if ($lost->isLate) {
                // It may still be carried out, so sending it again may pay twice.
                throw $lost;
            }
            $this->client->topUp($renewal);
        }
    }

    /** Finds the policy of an order by what was bought, by whom and when. */
    private function find(Order $order): string
    {
        $since = $order->since->sub(new \DateInterval(self::SKEW));
        // From the day before, because the service may count days in another time zone.
        foreach ($this->client->policies($since->sub(new \DateInterval('P1D'))) as $sold) {
            $isNew = new \DateTimeImmutable($sold['subscriptions']['created_at']) >= $since;
            if ($isNew && self::isSame($order->purchase, $sold) && $this->claim($order, $sold['policy_no'])) {
                return $sold['policy_no'];
            }
        }
        throw new Lost('The policy exists, but the list does not have it yet.');
    }

    /** Gives a policy to an order, unless another order has it. In a database, a unique index does this. */
    private function claim(Order $order, string $policyNo): bool
    {
        foreach ($this->orders as $other) {
            if ($other->policyNo === $policyNo) {
                return false;
            }
        }
        $order->policyNo = $policyNo;
        return true;
    }

    /** Whether a policy is what was ordered. Two that are can stand for each other. */
    private static function isSame(array $purchase, array $sold): bool
    {
        $ordinals = ['first', 'second', 'third'];
        $names = array_map(static fn($ordinal) => $purchase["{$ordinal}_beneficiary_full_name"] ?? null, $ordinals);
        return $sold['email'] === $purchase['email']
            && $sold['phone_no'] === $purchase['phone_no']
            && $sold['first_name'] === $purchase['first_name']
            && $sold['surname'] === $purchase['surname']
            && array_column($sold['beneficiary'], 'full_name') === array_values(array_filter($names))
            && $sold['subscriptions']['product_id'] === (int) $purchase['product_id']
            && $sold['subscriptions']['subscriptions_type'] === $purchase['subscription_type']
            && (float) $sold['transactions'][0]['amount'] === (float) $purchase['amount'];
    }
}
