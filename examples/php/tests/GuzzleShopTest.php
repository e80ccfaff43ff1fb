<?php declare(strict_types=1);

namespace Shop\Tests;

use Shop\{GuzzleTransport, Transport};

/** The same shop with Guzzle. */
final class GuzzleShopTest extends ShopTest
{
    protected function transport(): Transport
    {
        if (!class_exists(\GuzzleHttp\Client::class)) {
            self::markTestSkipped('Guzzle is missing.');
        }
        return new GuzzleTransport(new \GuzzleHttp\Client());
    }
}
