<?php

/*
 * What `composer install` would write, made of Debian's Guzzle 7 instead of Composer's packages.
 * The generator is of 2020 and calls a function of Guzzle 6 that Guzzle 7 has elsewhere.
 */

namespace GuzzleHttp\Psr7 {
    function build_query(array $params): string
    {
        return Query::build($params);
    }
}

namespace {
    require '/usr/share/php/GuzzleHttp/autoload.php';

    spl_autoload_register(function (string $class): void {
        $file = __DIR__ . '/../client/lib/' . strtr(substr($class, strlen('MerchantApi\\')), '\\', '/') . '.php';
        if (str_starts_with($class, 'MerchantApi\\') && is_file($file)) {
            require $file;
        }
    });
}
