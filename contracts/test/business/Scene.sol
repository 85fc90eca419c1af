// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "../stand-ins/TestUSDC.sol";
import {SpoiledToken, TokenProxy} from "../doubles/Tokens.sol";
import {KeyWallet} from "../doubles/Wallets.sol";
import {PermitTest} from "../support/PermitTest.sol";
import {Signing} from "../support/Signing.sol";

/// @notice Who takes part in a business: two merchants with four invoices each, a payer with a key
///         and one with code, and the present holder of each role. USDC is behind a proxy.
abstract contract Scene is PermitTest {
    struct Roles {
        address owner;
        address guardian;
        address collector;
        address operator;
        uint256 configKey;
        uint256 refundKey;
    }

    uint256 internal constant MERCHANTS = 2;
    uint256 internal constant INVOICES = 4;
    uint256 internal constant TREASURIES = 3;
    /// @dev How many take turns in each role.
    uint256 internal constant TURNS = 3;
    address internal constant NATIVE = address(0);

    Roles internal roles;
    KeyWallet internal wallet;
    address[] internal deposits;
    address[] internal forwarders;
    /// @dev Everyone who may hold money, each once.
    address[] internal holders;
    mapping(address deposit => uint256) internal capOf;
    /// @dev What collectors received for a deposit, in both good tokens.
    mapping(address deposit => uint256) internal feesOf;
    /// @dev The active entry, as the campaign knows it.
    mapping(uint256 merchant => address) internal treasuries;
    mapping(uint256 merchant => uint32) internal versions;
    uint256 internal nativePaid;
    uint256 internal count;

    constructor() {
        setUp();
        usdc = TestUSDC(address(new TokenProxy(address(new TestUSDC()))));
        usdc.initialize("USDC", "USDC", "2", address(this));
        list(address(usdc));
        roles = Roles(OWNER, GUARDIAN, COLLECTOR, RELAYER, CONFIG_KEY, REFUND_KEY);
        wallet = new KeyWallet(payer);
        usdc.mint(payer, 1e15);
        usdc.mint(address(wallet), 1e15);
        vm.prank(payer);
        usdc.approve(address(PERMIT2), type(uint256).max);
        for (uint256 m; m < MERCHANTS; ++m) {
            _meet(m);
        }
        holders.push(RECIPIENT);
        holders.push(payer);
        holders.push(address(wallet));
        for (uint256 i; i < TURNS; ++i) {
            holders.push(turn(COLLECTOR, i));
        }
    }

    function _meet(uint256 m) private {
        forwarders.push(hub.forwarderAddress(merchantOf(m)));
        holders.push(forwarders[m]);
        for (uint256 i; i < INVOICES; ++i) {
            IRemitHub.Sweep memory item = invoice(m, i);
            deposits.push(depositOf(item));
            holders.push(deposits[deposits.length - 1]);
            capOf[depositOf(item)] = item.maxFee;
        }
        for (uint256 i; i < TREASURIES; ++i) {
            holders.push(treasury(m, i));
        }
        (treasuries[m], versions[m]) = (treasury(m, 0), 1);
        configure(merchantOf(m), treasuries[m], 1);
    }

    // Who is who

    function merchantOf(uint256 m) internal pure returns (bytes16) {
        return bytes16(uint128(0xBEEF00 + m));
    }

    function treasury(uint256 m, uint256 i) internal pure returns (address) {
        return address(uint160(0x77000000 + m * 16 + i));
    }

    /// @dev The holder of a role in one of its turns.
    function turn(address first, uint256 i) internal pure returns (address) {
        return address(uint160(first) + uint160(i % TURNS) * 0x10000);
    }

    function goodToken(uint256 seed) internal view returns (address) {
        return seed >> 100 & 1 == 0 ? address(usdc) : address(usdt);
    }

    /// @dev An invoice's terms; the last of each merchant names its own recipient.
    function invoice(uint256 m, uint256 i) internal pure returns (IRemitHub.Sweep memory item) {
        item.merchantId = merchantOf(m);
        item.invoiceId = bytes16(uint128(0x100 + i));
        if (i == INVOICES - 1) item.recipient = RECIPIENT;
        item.maxFee = MAX_FEE * i;
    }

    /// @dev A sweep with right terms, of nothing yet.
    function anySweep(uint256 seed) internal view returns (IRemitHub.Sweep memory item) {
        uint256 m = seed % MERCHANTS;
        item = invoice(m, (seed >> 8) % INVOICES);
        item.token = goodToken(seed);
        item.version = versions[m];
        item.deploys = depositOf(item).code.length == 0;
    }

    function receiverOf(IRemitHub.Sweep memory item) internal view returns (address) {
        if (item.recipient != address(0)) return item.recipient;
        return treasuries[item.merchantId == merchantOf(0) ? 0 : 1];
    }

    function balance(address token, address account) internal view returns (uint256) {
        return token == NATIVE ? account.balance : SpoiledToken(token).balanceOf(account);
    }

    // What they send

    function sweepAs(address caller, IRemitHub.Sweep[] memory items) internal {
        vm.prank(caller);
        hub.sweep(items, plenty());
    }

    function signedConfig(IRemitHub.MerchantConfig memory config, uint256 key)
        internal
        view
        returns (bytes memory)
    {
        return packed(key, Signing.config(config, address(hub)));
    }

    /// @dev Whether a call went through.
    function tryAs(address caller, bytes memory data) internal returns (bool ok) {
        vm.prank(caller);
        (ok,) = address(hub).call(data);
    }

    // What may never change without a call

    /// @dev All balances of the good tokens and the registry, in one word.
    function fingerprint() internal view returns (bytes32 print) {
        for (uint256 i; i < holders.length; ++i) {
            print = keccak256(
                abi.encode(print, usdc.balanceOf(holders[i]), usdt.balanceOf(holders[i]))
            );
        }
        for (uint256 m; m < MERCHANTS; ++m) {
            bytes16 id = merchantOf(m);
            print = keccak256(abi.encode(print, treasuryOf(id), versionOf(id), isChanging(id)));
        }
    }

    function checkFeesOf(address deposit) internal view {
        vm.assertLe(feesOf[deposit] + hub.feeLeft(deposit), capOf[deposit], "charged and left");
    }

    /// @dev Fees are held only where there is money for them.
    function checkFeeHeld(address forwarder, address token) internal view {
        uint256 held = hub.feeHeld(forwarder, token);
        if (held != 0) vm.assertLe(held, balance(token, forwarder), "held");
    }
}
